import { inParallel } from '../client.js'
import { Server } from '../server.js'
import { addresses, defineTrial } from '../trial.js'
import {
  describeDifference,
  generateAnyCommands,
  generateCommands,
  startFrozen,
  toComparable,
} from './commands.js'

export const snapshots = defineTrial({
  name: 'snapshots',
  title:
    'After random requests, the snapshot of a world is loaded into another world of the same server or of another server, and both receive the same random requests. Their responses must be equal.',
  unit: 'snapshots',
  attempts: { small: 80, full: 1_500 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    const other = await Server.start()
    try {
      const here = context.client(addresses.attacker)
      const elsewhere = context.client(addresses.attacker, undefined, other.port)
      await inParallel(context.attempts, 8, context.ending, async (index) => {
        const random = context.random.fork(index)
        const [first, second] = [`a${index}a`, `b${index}b`]
        const firstKey = `sbx_free_default_${first}`
        const secondKey = `sbx_free_empty-store_${second}`
        await startFrozen(here, firstKey)
        for (const command of generateAnyCommands(random, random.int(12))) {
          await here.send({ ...command, apiKey: firstKey })
        }
        const snapshot = await here.expect({ path: '/sandbox/snapshot', apiKey: firstKey })
        const target = random.chance(0.5) ? here : elsewhere
        const put = { method: 'PUT', path: '/sandbox/scenario', body: snapshot.text }
        await target.expect({ ...put, apiKey: secondKey })
        for (const command of generateCommands(random, 4 + random.int(8))) {
          const expected = await here.send({ ...command, apiKey: firstKey })
          const found = await target.send({ ...command, apiKey: secondKey })
          const texts = [toComparable(found, second), toComparable(expected, first)] as const
          if (context.signal.aborted || texts[0] === texts[1]) continue
          const what = `case ${index}, ${command.method} ${command.path}`
          context.violation(`${what}: ${describeDifference(...texts)}`)
        }
        context.count()
      })
    } finally {
      await other.stop()
    }
  },
})
