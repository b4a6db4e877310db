import { type Client, inParallel } from '../client.js'
import type { Random } from '../random.js'
import { defineTrial } from '../trial.js'
import { type HistoryEntry, isLinearizable, type State } from './linearizability.js'

const petIds = [1, 2, 3]
const clients = 4
const perClient = 5

export const histories = defineTrial({
  name: 'histories',
  title:
    'Four concurrent clients of one world change the quantities of three pets, list them and reset the world. The responses must be linearizable.',
  unit: 'histories',
  attempts: { small: 100, full: 1_000 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    await inParallel(context.attempts, 4, context.ending, async (index) => {
      const random = context.random.fork(index)
      const apiKey = `sbx_enterprise_default_history-${index}`
      const client = context.client(`127.0.5.${1 + (index % 100)}`, apiKey)
      const initial = await readState(client)
      const sequences = Array.from({ length: clients }, (_, who) =>
        record(client, random.fork(who), who),
      )
      const history = (await Promise.all(sequences)).flat()
      client.close()
      if (context.signal.aborted) return
      context.count()
      if (isLinearizable(history, initial)) return
      context.violation(`case ${index}: ${JSON.stringify(history)}`)
    })
  },
})

/** Sends the operations of one client, one after the other, and returns them with their times. */
async function record(client: Client, random: Random, who: number): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let index = 0; index < perClient; index++) {
    const startMs = performance.now()
    // Every value is written once, so that a read identifies its write.
    const operation = await operate(client, random, 1_000 * (who + 1) + index)
    entries.push({ startMs, endMs: performance.now(), operation })
  }
  return entries
}

async function operate(
  client: Client,
  random: Random,
  value: number,
): Promise<HistoryEntry['operation']> {
  const headers = random.chance(0.4) ? { Prefer: `delay=0.00${1 + random.int(8)}` } : {}
  if (random.chance(0.1)) {
    await client.expect({ method: 'POST', path: '/sandbox/reset' })
    return { type: 'reset' }
  }
  if (random.chance(0.5)) return { type: 'read', found: await readState(client, headers) }
  const pet = random.int(petIds.length)
  const path = `/v1/inventory/${petIds[pet]}`
  await client.expect({ method: 'PATCH', path, headers, body: { quantity: value } })
  return { type: 'write', pet, value }
}

async function readState(client: Client, headers = {}): Promise<State> {
  const { text } = await client.expect({ path: '/v1/inventory', headers })
  const items: { readonly petId: number; readonly quantity: number }[] = JSON.parse(text)
  return petIds.map((petId) => items.find((item) => item.petId === petId)?.quantity ?? -1)
}
