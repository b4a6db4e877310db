import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'
import { toLargePets } from './scenario-bodies.js'

const body = Buffer.from(`{"name":"a","pets":${toLargePets(20_000)}}`)

export const filledWorlds = defineTrial({
  name: 'filled-worlds',
  title: 'One client creates many worlds and fills each of them with a scenario of 7 MiB.',
  unit: 'worlds',
  attempts: { small: 40, full: 400 },
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.attacker)
    await inParallel(context.attempts, 4, context.ending, async (index) => {
      const apiKey = `sbx_free_default_filled-${index}`
      const { status } = await client.send({
        method: 'PUT',
        path: '/sandbox/scenario',
        apiKey,
        body,
      })
      if (context.signal.aborted) return
      context.count()
      if (status === 500) context.violation(`PUT /sandbox/scenario responded with ${status}`)
    })
  },
})
