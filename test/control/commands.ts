import fc from 'fast-check'
import type { ApiRequest } from '../../src/engine/exchange.js'
import { platform } from '../../src/engine/platform.js'
import { respond } from '../../src/engine/respond.js'
import { Sandbox } from '../../src/engine/sandbox.js'
import type { Scenario, ScenarioSource } from '../../src/index.js'
import type { AddressId } from '../../src/service/addresses.js'
import { operationIds } from '../../src/service/operations/operations.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'

/** One step in the history of a world: a request, or the passing of real time. */
export type Command =
  | { readonly type: 'request'; readonly request: CommandRequest }
  | { readonly type: 'pass'; readonly ms: number }

export interface CommandRequest {
  readonly method: string
  readonly address: AddressId
  readonly path: string
  /** Index of the key, among the keys of the caller. */
  readonly key: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const petIds = ['1', '2', '7', '13', '404', '9223372036854775807', '-5', 'abc', '01', '']
const keys = { key: fc.nat(2) }

function request(
  fields: {
    [Field in keyof CommandRequest]: fc.Arbitrary<CommandRequest[Field]>
  },
): fc.Arbitrary<Command> {
  return fc
    .record(fields)
    .map((fieldsOfRequest) => ({ type: 'request', request: fieldsOfRequest }) as const)
}

/** Creates bodies, most of them valid. */
function bodyOf(valid: fc.Arbitrary<unknown>, invalid: readonly unknown[]): fc.Arbitrary<string> {
  const broken = fc.constantFrom('{', '', 'null', '[]', '"x"', '{"__proto__":{"x":1}}')
  return fc.oneof(
    { weight: 8, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...invalid).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: broken },
  )
}

const preferences = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Prefer: 'code=404' },
      { Prefer: 'code=429' },
      { Prefer: 'code=418' },
      { Prefer: 'delay=2' },
      { Prefer: 'code=200, delay=0.5' },
      { Prefer: 'handling=strict, delay=soon' },
    ),
  },
)

const json = { 'Content-Type': 'application/json' }
const petId = fc.constantFrom(...petIds)
const quantity = fc.oneof(fc.nat(50), fc.constant(Number.MAX_SAFE_INTEGER))
const petPath = (prefix: string) => petId.map((id) => `${prefix}/${id}`)
const constant = <T>(value: T) => fc.constant(value)

const api = { ...keys, address: constant('api' as const) }

/** Requests of the service: every operation with valid and invalid input, and unknown paths. */
const serviceCommand: fc.Arbitrary<Command> = fc.oneof(
  request({
    ...api,
    method: fc.constantFrom('GET', 'HEAD'),
    path: fc.constantFrom('/inventory', '/store/orders', '/inventory?x=1'),
    headers: preferences,
  }),
  request({ ...api, method: constant('GET'), path: petPath('/pets'), headers: preferences }),
  request({
    ...api,
    method: constant('PATCH'),
    path: petPath('/inventory'),
    headers: preferences.map((preference) => ({ ...json, ...preference })),
    body: bodyOf(fc.record({ quantity }), [
      { quantity: -1 },
      { quantity: '5' },
      {},
      { quantity: 1, status: 'sold' },
    ]),
  }),
  request({
    ...keys,
    method: constant('POST'),
    address: constant('quickstart'),
    path: constant('/messages'),
    headers: preferences.map((preference) => ({ ...json, ...preference })),
    body: bodyOf(fc.record({ message: fc.string({ unit: 'grapheme', maxLength: 20 }) }), [
      {},
      { message: 5 },
    ]),
  }),
  request({
    ...api,
    method: fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS'),
    path: fc.constantFrom('/inventory/1', '/nothing', '/inventory/', ''),
  }),
)

const windowSettings = fc.oneof(
  fc.record({ remaining: fc.nat(3) }),
  fc.record({ used: fc.nat(70), rejected: fc.nat(11) }),
  fc.record({ resetsAt: fc.constantFrom('2026-01-15T09:00:30Z', '2026-03-01T00:00:00.001Z') }),
)

const quotaSettings = fc.record(
  {
    minute: windowSettings,
    day: windowSettings,
    ban: fc.oneof(
      fc.record({ seconds: fc.integer({ min: 1, max: 400 }) }),
      fc.record({
        until: fc.constantFrom(
          '2026-01-15T09:02:00+00:00',
          '2026-06-01T00:00:00.5Z',
          '9999-12-31T23:59:59.999Z',
        ),
      }),
      fc.constant(null),
    ),
  },
  { requiredKeys: [] },
)

const conditionFields = {
  operation: fc.constantFrom(...operationIds),
  rate: fc.constantFrom(0.1, 0.3, 0.5, 0.9, 1),
  atMost: fc.integer({ min: 1, max: 4 }),
}
const optionalConditions = { requiredKeys: [] }

const anyFault = fc
  .tuple(
    fc.oneof(
      fc.record({ type: constant('status'), status: fc.constantFrom(400, 404, 429, 500, 503) }),
      fc.record({ type: constant('delay'), delayMs: fc.nat(60_000) }),
      fc.record({ type: constant('reset') }),
      fc.record({ type: constant('truncate'), share: fc.constantFrom(0, 0.25, 0.9) }),
    ),
    fc.record(conditionFields, optionalConditions),
  )
  .map(([effect, conditions]) => ({ ...effect, ...conditions }))

/** A fault that applies to each request a few times, so that a history can end in between. */
const countedFault = fc.record({
  type: constant('status'),
  status: fc.constantFrom(404, 503),
  atMost: fc.integer({ min: 2, max: 4 }),
})

const fault = fc.oneof(anyFault, countedFault)

const pet = fc.record(
  {
    petId: fc.constantFrom<number | string>(1, 13, 404, -5, '9223372036854775807'),
    name: fc.string({ maxLength: 8 }),
    quantity,
    status: fc.constantFrom('available', 'pending', 'sold'),
    tags: fc.array(fc.string({ maxLength: 4 }), { maxLength: 2 }),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['petId', 'name'] },
)

const order = fc.record(
  {
    id: fc.constantFrom<number | string>(1001, 5, '9007199254740993'),
    petId: fc.constantFrom(1, 404),
    status: fc.constantFrom('placed', 'approved', 'delivered'),
    complete: fc.boolean(),
    note: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['id', 'petId'] },
)

function control(
  method: string,
  path: string | fc.Arbitrary<string>,
  body?: fc.Arbitrary<string>,
): fc.Arbitrary<Command> {
  return request({
    ...keys,
    method: constant(method),
    address: constant('control'),
    path: typeof path === 'string' ? constant(path) : path,
    ...(body && { headers: constant(json), body }),
  })
}

const dataPath = (list: string, ids: readonly string[]) =>
  fc.constantFrom(...ids).map((id) => `/${list}/${id}`)

const pets = dataPath('pets', ['1', '2', '13', '404', '9223372036854775807', 'x'])
const orders = dataPath('orders', ['1001', '1002', '5', '9007199254740993', 'x'])

/** Control requests that change the state of a world, but not its scenario. */
const controlCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: control(
      'PATCH',
      '/clock',
      bodyOf(
        fc.oneof(
          fc.record({ advance: fc.integer({ min: -120_000, max: 4_000_000 }) }),
          fc.record({ advance: fc.double({ min: -1e5, max: 1e5, noNaN: true }) }),
          fc.record({ advance: fc.constantFrom('PT1S', 'PT59.999S', 'PT1M', 'P1D', '-PT30S') }),
          fc.record({ now: fc.constantFrom('2026-01-15T09:00:59.999Z', '2026-04-15T00:00:00Z') }),
          fc.constant({ advanceTo: 'next-event' }),
          fc.record({ frozen: fc.boolean() }),
        ),
        [{ now: 'noon' }, { advance: 1, now: '2026-01-15T09:00:00Z' }, { speed: 2 }],
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: control(
      'PATCH',
      '/quota',
      bodyOf(quotaSettings, [{ minute: { used: -1 } }, { ban: {} }, { hour: {} }]),
    ),
  },
  {
    weight: 3,
    arbitrary: control(
      'PUT',
      '/faults',
      bodyOf(fc.array(fault, { maxLength: 3 }), [[{ type: 'explode' }], [{ type: 'status' }]]),
    ),
  },
  control('POST', '/faults', bodyOf(fault, [{ type: 'explode' }, {}])),
  control('DELETE', '/faults'),
  control('POST', '/pets', bodyOf(pet, [{ petId: 13 }, { petId: 13, name: 5 }])),
  control('PATCH', pets, bodyOf(fc.record({ quantity }), [{ quantity: 'x' }, { petId: 3 }])),
  control('DELETE', pets),
  control('POST', '/orders', bodyOf(order, [{ id: 5 }])),
  control('PATCH', orders, bodyOf(fc.record({ complete: fc.boolean() }), [{ complete: 'x' }])),
  control('DELETE', orders),
)

/** Control requests that read what a snapshot contains. */
const readingCommand: fc.Arbitrary<Command> = fc.oneof(
  ...['/clock', '/quota', '/faults', '/messages', '/pets', '/orders', '/scenarios'].map((path) =>
    control('GET', path),
  ),
)

const names = ['default', 'low-stock', 'int64-ids', 'nearly-limited', 'banned-key', 'flaky']

/** Sets the time at which a scenario starts, so that its world does not depend on the real time. */
function pinned(scenario: Partial<Scenario>): Scenario {
  return { name: 'pinned', clock: { now: '2026-02-01T12:00:00.123Z' }, ...scenario }
}

/** The keys of the world that are not of the form `sbx_…`. */
export const listedKey = 'acme-live-key-0001'
const apiKeys: Scenario['apiKeys'] = [{ key: listedKey, plan: 'business' }]

const scenario: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...names).map((name) => [name, pinned({ apiKeys })]),
  fc
    .record({
      faults: fc.array(fault, { maxLength: 2 }),
      pets: fc.uniqueArray(pet, { selector: ({ petId: id }) => id, maxLength: 3 }),
      draws: fc.nat(5),
      seed: fc.integer(),
      quota: fc.record({ '*': quotaSettings, pro: quotaSettings }, { requiredKeys: [] }),
    })
    .map((fields) => ({ ...pinned({ apiKeys }), ...fields })),
)

const useCommand = control(
  'PUT',
  '/scenario',
  bodyOf(scenario, ['low-stok', { name: 'x', petz: [] }, [], ['default', 'low-stok']]),
)

const passCommand: fc.Arbitrary<Command> = fc
  .constantFrom(1, 999, 30_000, 60_000, 86_400_000)
  .map((ms) => ({ type: 'pass', ms }))

/** Commands whose responses depend only on the state of the world. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: serviceCommand },
  { weight: 5, arbitrary: controlCommand },
  { weight: 2, arbitrary: readingCommand },
  { weight: 1, arbitrary: useCommand },
  { weight: 2, arbitrary: passCommand },
)

/**
 * Commands, including those whose responses depend on the history of the world: its journal and
 * start.
 */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: command },
  { weight: 1, arbitrary: control('POST', '/reset') },
  { weight: 1, arbitrary: control('DELETE', '/requests') },
  {
    weight: 1,
    arbitrary: fc.oneof(
      ...['', '/requests', '/requests?unmatched=true', '/snapshot'].map((path) =>
        control('GET', path),
      ),
      control('POST', '/keys', bodyOf(fc.record({ plan: constant('pro') }), [{ plan: 'gold' }])),
    ),
  },
)

/** Creates a sandbox without a transport. */
export function createCore(now: () => number, scenario: ScenarioSource = 'default') {
  const settings = {
    library: new ScenarioLibrary(),
    platform: { ...platform, now, sleep: async () => {} },
    journalHeaders: new Set<string>(),
    journalCapacity: 100,
    maxWorlds: 16,
    maxMemory: 536_870_912,
    maxWorldMemory: 16_777_216,
    retainMs: 900_000,
  }
  return Sandbox.create(settings, scenario)
}

const encoder = new TextEncoder()

/**
 * Sends a request with one of the keys and returns the whole response as a string, except what
 * identifies the run of the world.
 */
export async function send(
  sandbox: Sandbox,
  sent: CommandRequest,
  apiKeys: readonly string[],
): Promise<string> {
  const { method, address, key, body } = sent
  const [path = '', query = ''] = sent.path.split('?')
  const headers = new Headers(sent.headers)
  headers.set('Authorization', `Bearer ${apiKeys[key % apiKeys.length]}`)
  const apiRequest: ApiRequest = {
    method,
    address,
    path,
    query,
    forEachHeader(visit) {
      for (const [name, value] of headers) visit(name, value)
    },
    header: (name) => headers.get(name) ?? undefined,
    isAborted: false,
    onAbort: () => {},
    readBody: () => (body === undefined ? undefined : Promise.resolve(encoder.encode(body))),
  }
  const response = await respond(apiRequest, sandbox)
  const text = response.body?.text ?? ''
  const truncated = response.truncated?.byteLength
  const whole = [response.status, ...response.headers, text, truncated].join('\n')
  return whole
    .replace(/^(Sandbox-World-Generation\n)\d+$/m, '$1…')
    .replace(/"startedAt":"[^"]+","generation":\d+/, '"startedAt":"…","generation":0')
}
