import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createRandom, type Random } from '../abuse/random.js'
import type { HttpResponse } from '../support/http-client.js'
import { type Executed, isLinearizable, type Model } from '../support/linearizable.js'
import { Cluster, type ClusterRequest } from './support/cluster.js'

/** What the clients of a world can do: change, list, send, look at the summary, and reset. */
type Operation =
  | { readonly type: 'change'; readonly petId: PetId; readonly quantity: number }
  | { readonly type: 'list' | 'message' | 'overview' | 'reset' }

type PetId = 1 | 2

/** The quantities of two pets, the messages and the charged requests: what a response shows. */
interface State {
  readonly 1: number
  readonly 2: number
  readonly messages: number
  readonly used: number
}

type Result = Partial<State>

const initial: State = { 1: 4, 2: 6, messages: 0, used: 0 }

const model: Model<State, Operation, Result> = {
  initial,
  apply(state, operation, result) {
    const next = execute(state, operation)
    const shown = Object.entries(result) as [keyof Result, number][] // the keys of a result
    return shown.every(([name, value]) => next[name] === value) ? next : undefined
  },
}

function execute(state: State, operation: Operation): State {
  const used = state.used + 1
  switch (operation.type) {
    case 'change':
      return { ...state, used, [operation.petId]: operation.quantity }
    case 'message':
      return { ...state, used, messages: state.messages + 1 }
    case 'list':
      return { ...state, used }
    case 'overview':
      return state
    case 'reset':
      return initial
  }
}

const limit = 5000

function toRequest(operation: Operation): ClusterRequest {
  switch (operation.type) {
    case 'change': {
      const { petId, quantity } = operation
      return { method: 'PATCH', path: `/v1/inventory/${petId}`, json: { quantity } }
    }
    case 'message':
      return { method: 'POST', path: '/quickstart/messages', json: { message: 'Hello' } }
    case 'list':
      return { path: '/v1/inventory' }
    case 'overview':
      return { path: '/sandbox' }
    case 'reset':
      return { method: 'POST', path: '/sandbox/reset' }
  }
}

function readResult({ type }: Operation, { status, headers, json }: HttpResponse): Result {
  if (status >= 300) throw new Error(`${type} received ${status} ${JSON.stringify(json)}`)
  if (type === 'reset') return {}
  if (type === 'overview') return { messages: json.counts.messages, used: json.counts.requests }
  const used = limit - Number(headers.get('x-ratelimit-remaining'))
  if (type !== 'list') return { used }
  return { 1: json[0].quantity, 2: json[1].quantity, used }
}

/** Returns the operations of each of 3 or 4 clients: 6 to 10 in total. */
function createClients(random: Random): Operation[][] {
  const clients: Operation[][] = Array.from({ length: 3 + random.int(2) }, () => [])
  const count = 6 + random.int(5)
  for (let number = 0; number < count; number++) {
    const type = random.pick(['change', 'change', 'list', 'list', 'message', 'overview', 'reset'])
    const petId = random.pick([1, 2] as const)
    const operation = type === 'change' ? { type, petId, quantity: 100 + number } : { type }
    clients[number % clients.length]?.push(operation as Operation) // of one of the types
  }
  return clients
}

const seed = 20_260_115
const histories = inject('histories')
const concurrentHistories = 16

describe('three replicas', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await Cluster.start(3)
  })
  afterAll(() => cluster?.stop())

  /** Executes the operations of concurrent clients, each on a random replica, on a new world. */
  async function run(number: number): Promise<Executed<Operation, Result>[]> {
    const random = createRandom(seed).fork(number)
    const key = `sbx_enterprise_frozen_history-${number}`
    const history: Executed<Operation, Result>[] = []
    const runClient = async (operations: readonly Operation[]) => {
      for (const operation of operations) {
        const replica = random.int(cluster.size)
        const sentAt = performance.now()
        const response = await cluster.send({ ...toRequest(operation), replica, key })
        const receivedAt = performance.now()
        history.push({ operation, result: readResult(operation, response), sentAt, receivedAt })
      }
    }
    await Promise.all(createClients(random).map(runClient))
    return history
  }

  test(`execute ${histories} concurrent histories linearizably`, async () => {
    let started = 0
    const failed: unknown[] = []
    const work = async () => {
      while (started < histories) {
        const number = started++
        const history = await run(number)
        if (!isLinearizable(history, model)) failed.push({ number, history })
      }
    }
    await Promise.all(Array.from({ length: concurrentHistories }, work))
    expect(failed.length, JSON.stringify(failed[0])).toBe(0)
  }, 120_000)
})

describe('isLinearizable', () => {
  const change = (quantity: number) => ({ type: 'change', petId: 1, quantity }) as const
  const list = { type: 'list' } as const
  const reset = { type: 'reset' } as const
  type Row = readonly [operation: Operation, result: Result, sentAt: number, receivedAt: number]

  test.each<[string, boolean, readonly Row[]]>([
    [
      'accepts a read that overlaps a write and sees the state before',
      true,
      [
        [change(9), {}, 0, 3],
        [list, { 1: 4 }, 1, 2],
      ],
    ],
    [
      'rejects a stale read',
      false,
      [
        [change(9), {}, 0, 1],
        [list, { 1: 4 }, 2, 3],
      ],
    ],
    [
      'rejects two reads that see overlapping writes in different orders',
      false,
      [
        [change(8), {}, 0, 9],
        [change(9), {}, 0, 9],
        [list, { 1: 8 }, 1, 2],
        [list, { 1: 9 }, 3, 4],
        [list, { 1: 8 }, 5, 6],
      ],
    ],
    [
      'rejects an update that a concurrent reset has half undone',
      false,
      [
        [change(9), { used: 1 }, 0, 1],
        [reset, {}, 2, 5],
        [list, { 1: 4, used: 2 }, 3, 4],
      ],
    ],
  ])('%s', (_, expected, rows) => {
    const history = rows.map(([operation, result, sentAt, receivedAt]) => ({
      operation,
      result,
      sentAt,
      receivedAt,
    }))
    expect(isLinearizable(history, model)).toBe(expected)
  })
})
