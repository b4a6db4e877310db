import { type Executed, isLinearizable } from '../../support/linearizable.js'
import { type Client, inParallel } from '../client.js'
import type { Random } from '../random.js'
import { defineTrial } from '../trial.js'

/** The quantities of the pets, in the order of `petIds`. */
type State = readonly number[]

type Operation =
  | { readonly type: 'write'; readonly pet: number; readonly value: number }
  | { readonly type: 'read' | 'reset' }

/** What a read has found. */
type Result = State | undefined

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
      if (isLinearizable(history, { initial, apply: toApply(initial) })) return
      context.violation(`case ${index}: ${JSON.stringify(history)}`)
    })
  },
})

/** Returns the model: the state after an operation, undefined if it would have found another one. */
function toApply(initial: State) {
  return (state: State, operation: Operation, found: Result): State | undefined => {
    if (operation.type === 'reset') return initial
    if (operation.type === 'write') return state.with(operation.pet, operation.value)
    return found?.every((value, pet) => value === state[pet]) ? state : undefined
  }
}

/** Sends the operations of one client, one after the other, and returns them with their times. */
async function record(
  client: Client,
  random: Random,
  who: number,
): Promise<Executed<Operation, Result>[]> {
  const entries: Executed<Operation, Result>[] = []
  for (let index = 0; index < perClient; index++) {
    const sentAt = performance.now()
    // Every value is written once, so that a read identifies its write.
    const executed = await operate(client, random, 1_000 * (who + 1) + index)
    entries.push({ ...executed, sentAt, receivedAt: performance.now() })
  }
  return entries
}

async function operate(
  client: Client,
  random: Random,
  value: number,
): Promise<{ operation: Operation; result: Result }> {
  const headers = random.chance(0.4) ? { Prefer: `delay=0.00${1 + random.int(8)}` } : {}
  if (random.chance(0.1)) {
    await client.expect({ method: 'POST', path: '/sandbox/reset' })
    return { operation: { type: 'reset' }, result: undefined }
  }
  if (random.chance(0.5)) {
    return { operation: { type: 'read' }, result: await readState(client, headers) }
  }
  const pet = random.int(petIds.length)
  const path = `/v1/inventory/${petIds[pet]}`
  await client.expect({ method: 'PATCH', path, headers, body: { quantity: value } })
  return { operation: { type: 'write', pet, value }, result: undefined }
}

async function readState(client: Client, headers = {}): Promise<State> {
  const { text } = await client.expect({ path: '/v1/inventory', headers })
  const items: { readonly petId: number; readonly quantity: number }[] = JSON.parse(text)
  return petIds.map((petId) => items.find((item) => item.petId === petId)?.quantity ?? -1)
}
