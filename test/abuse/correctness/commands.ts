import type { Client, Reply } from '../client.js'
import type { Random } from '../random.js'

/** A request whose response depends only on the state of its world. */
export interface Command {
  readonly method: string
  /** Below `/v1`, `/quickstart` or `/sandbox`, with that prefix. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Generate = (random: Random) => Command

const petIds = [1, 2, 7, 12, 404]
const quotas = [
  { minute: { remaining: 2 } },
  { minute: { used: 10, rejected: 9 }, day: { remaining: 3 } },
  { ban: { seconds: 60 } },
  { ban: null },
]
const faults = [
  [],
  [{ type: 'status', status: 503, atMost: 2 }],
  [{ type: 'status', status: 404, rate: 0.5 }],
  [{ type: 'delay', delayMs: 3, operation: 'listInventory' }],
]
const clocks = [{ advance: 1 }, { advance: 'PT61S' }, { advance: 86_400 }, { advance: -30 }]

const change = (method: string, path: string, body: unknown): Command => ({ method, path, body })
const read = (path: string): Command => ({ method: 'GET', path })

/** Generators of requests to the service, and of control requests that do not restart the world. */
const changing: readonly Generate[] = [
  () => read('/v1/inventory'),
  (random) => ({
    ...read('/v1/inventory'),
    headers: { Prefer: `code=${random.pick([200, 401, 429])}` },
  }),
  (random) => read(`/v1/pets/${random.pick(petIds)}`),
  () => read('/v1/store/orders'),
  (random) =>
    change('PATCH', `/v1/inventory/${random.pick(petIds)}`, { quantity: random.int(1_000) - 10 }),
  (random) => change('PATCH', `/v1/inventory/${random.pick(petIds)}`, { quantity: random.int(50) }),
  (random) => change('POST', '/quickstart/messages', { message: random.string(random.int(30)) }),
  (random) => change('POST', '/quickstart/messages', random.pick([{}, { message: 5 }, []])),
  () => read('/v1/nothing'),
  (random) => change('PATCH', '/sandbox/quota', random.pick(quotas)),
  (random) => change('PUT', '/sandbox/faults', random.pick(faults)),
  (random) => change('PATCH', '/sandbox/clock', random.pick(clocks)),
  (random) =>
    change('POST', '/sandbox/pets', {
      petId: 100 + random.int(5),
      name: random.string(5),
      quantity: random.int(9),
    }),
  (random) => ({ method: 'DELETE', path: `/sandbox/pets/${random.pick(petIds)}` }),
  (random) => change('PATCH', `/sandbox/orders/${random.pick([1001, 5])}`, { complete: true }),
  (random) => read(`/sandbox/${random.pick(['clock', 'quota', 'faults', 'messages', 'pets'])}`),
]

/** Generators of requests that restart the world, or that read its journal or its start. */
const restarting: readonly Generate[] = [
  (random) =>
    change('PUT', '/sandbox/scenario', [
      random.pick(['default', 'low-stock', 'nearly-limited', 'flaky']),
      { name: 'frozen', clock: frozenClock },
    ]),
  () => ({ method: 'POST', path: '/sandbox/reset' }),
  () => read('/sandbox'),
  () => read('/sandbox/requests'),
  () => read('/sandbox/snapshot'),
]

const frozenClock = { now: '2026-02-01T12:00:00.123Z', frozen: true }

/** Generates requests whose responses depend only on the state that a snapshot contains. */
export function generateCommands(random: Random, count: number): Command[] {
  return Array.from({ length: count }, () => random.pick(changing)(random))
}

/** Generates requests, including those that depend on the history of the world. */
export function generateAnyCommands(random: Random, count: number): Command[] {
  return Array.from({ length: count }, () =>
    random.pick(random.chance(0.15) ? restarting : changing)(random),
  )
}

/** Restarts a world from a scenario with a frozen clock, so that its responses do not depend on time. */
export async function startFrozen(client: Client, apiKey: string, base = ''): Promise<void> {
  const path = `${base}/sandbox/scenario`
  const body = ['default', { name: 'frozen', clock: frozenClock }]
  await client.expect({ method: 'PUT', path, apiKey, body })
}

/** Headers that describe the connection, the request or the start of the world, not its state. */
const otherHeaders = [
  'connection',
  'keep-alive',
  'sandbox-world-generation',
  'content-length',
  'x-request-id',
]

/**
 * Returns a response as a string, to compare it with that of another world.
 *
 * @param label Label of the world, which is replaced.
 */
export function toComparable({ status, headers, text }: Reply, label: string): string {
  const lines = Object.entries(headers).filter(([name]) => !otherHeaders.includes(name))
  const body = text
    .replaceAll(label, 'LABEL')
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replace(/"(requestId|x-request-id)":"[^"]*"/g, '"$1":""')
    .replace(/"(startedAt|generation)":("[^"]*"|\d+)/g, '"$1":0')
    .replace(/"host":"[^"]*"/g, '"host":""')
  return [status, ...lines.toSorted().map(([name, value]) => `${name}: ${value}`), body].join('\n')
}

/** Describes the first line in which two responses differ. */
export function describeDifference(found = '', expected = ''): string {
  const lines = found.split('\n')
  const wanted = expected.split('\n')
  const at = wanted.findIndex((line, index) => line !== lines[index])
  return `found ${lines[at]?.slice(0, 300)}, expected ${wanted[at]?.slice(0, 300)}`
}
