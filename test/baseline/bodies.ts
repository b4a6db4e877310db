import fc from 'fast-check'
import { fault } from '../control/commands.js'

const operation = fc.constantFrom('listInventory', 'updateInventory', 'getPet', 'sendMessage')
const id = fc.constantFrom<number | string>(
  0,
  1,
  13,
  1001,
  Number.MAX_SAFE_INTEGER,
  '-9223372036854775808',
  '9223372036854775807',
  '9223372036854775808',
)
const phase = fc.constantFrom('before', 'after')

const delayMs = fc.oneof(
  fc.nat(60_000),
  fc.constant({ min: 100, max: 400 }),
  fc.constant({ median: 150, p95: 900 }),
  fc.constant({ min: 400, max: 100 }),
)

const effect = fc.oneof(
  fc.record(
    {
      type: fc.constant('status'),
      status: fc.constantFrom(400, 401, 404, 410, 429, 500, 502, 503, 599, 200),
      code: fc.constantFrom('planned_outage', 'Not Snake'),
      message: fc.constantFrom('back at noon', '\u{1f436}'),
      retryAfterSeconds: fc.nat(100),
    },
    { requiredKeys: ['type', 'status'] },
  ),
  fc.record({ type: fc.constant('delay'), delayMs, phase }, { requiredKeys: ['type', 'delayMs'] }),
  fc.record({ type: fc.constant('reset'), phase }, { requiredKeys: ['type'] }),
)

const conditions = fc.record(
  {
    operation,
    match: fc.constantFrom<object>(
      { petId: 1 },
      { petId: '2', body: { quantity: 7 } },
      { body: { message: 'Hi' } },
      { headers: { 'X-Client': 'shop' } },
      { headers: { Authorization: 'Bearer sbx_free' } },
      {},
    ),
    skip: fc.nat(2),
    rate: fc.constantFrom(0.2, 0.7),
    atMost: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
)

const step = fc.oneof(
  fc.constantFrom<unknown>('pass', { status: 503 }, { delayMs: 200 }, { share: 0.3 }, 'skip'),
  effect,
)

/** Faults of every kind. */
export const anyFault: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fault },
  {
    weight: 4,
    arbitrary: fc
      .tuple(effect, fc.oneof(fc.constant({}), conditions))
      .map(([what, which]) => ({ ...what, ...which })),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        operation,
        skip: fc.nat(2),
        sequence: fc.array(step, { minLength: 1, maxLength: 4 }),
      },
      { requiredKeys: ['sequence'] },
    ),
  },
)

/** As many faults as a world can have. None of them applies to a request. */
export const manyFaults = Array.from({ length: 100 }, () => ({
  status: 503,
  type: 'status',
  match: { headers: { 'X-Client': 'none' } },
}))

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(1e21, 5e-324, 2 ** 53, '\ud800', '\u2028', { toJSON: 1 }),
)

export const newPet = fc.record(
  {
    petId: id,
    name: fc.string({ unit: 'grapheme', maxLength: 8 }),
    quantity: fc.constantFrom<unknown>(0, 5, -3, 1.5, '5', null),
    status: fc.constantFrom('available', 'pending', 'sold', 'lost'),
    category: fc.constantFrom('cat', ''),
    photoUrls: fc.constantFrom<unknown>([], ['https://a.example/1.jpg'], 'x'),
    tags: fc.array(json, { maxLength: 2 }),
    constructor: json,
    note: json,
  },
  { requiredKeys: ['petId', 'name'] },
)

export const newOrder = fc.record(
  {
    id,
    petId: id,
    quantity: fc.constantFrom<unknown>(0, 5, -3, 1.5, null),
    shipDate: fc.constantFrom('2026-03-01T10:00:00Z', '2026-02-30T00:00:00Z', 'soon'),
    status: fc.constantFrom('placed', 'approved', 'delivered', 'lost'),
    note: json,
  },
  { requiredKeys: ['id', 'petId'] },
)

/** Changes of pets and orders. */
export const patch = fc.record(
  {
    quantity: fc.constantFrom<unknown>(0, 99, 'x'),
    status: fc.constantFrom('pending', 'delivered'),
    note: fc.oneof(json, fc.constant(null)),
    petId: id,
  },
  { requiredKeys: [] },
)

/** Scenarios that change the rules of a world. */
export const scenarioPart = fc
  .record(
    {
      clock: fc.constantFrom({ now: '2026-03-01T00:00:00Z', frozen: true }, { frozen: false }),
      seed: fc.nat(5),
      rules: fc.record(
        {
          quantity: fc.constantFrom({ minimum: 1, maximum: 10 }, { minimum: -5 }),
          ban: fc.constantFrom({ rejections: 1, seconds: 30 }, { rejections: 2 }),
          messageStatus: fc.constantFrom(201, 202, 204),
          additionalFields: fc.constantFrom('reject', 'ignore'),
          inventoryUpdate: fc.constantFrom('current', 'next'),
        },
        { requiredKeys: [] },
      ),
      deprecation: fc.constantFrom(
        { sunsetAt: 'PT1M' },
        { sunsetAt: '-P1D', afterSunset: 'serve' },
        { deprecatedAt: 'P1D', sunsetAt: 'P2D', link: '/docs' },
        { deprecatedAt: 'P3D', sunsetAt: 'P2D' },
      ),
      plans: fc.constantFrom(
        { free: { requestsPerMinute: 3 } },
        { pro: { requestsPerMinute: 2, requestsPerDay: 4 } },
      ),
      generate: fc.constantFrom({ pets: 3, orders: 2 }, { pets: 40 }, { orders: 400 }),
      faults: fc.array(anyFault, { maxLength: 2 }),
      pets: fc.array(newPet, { maxLength: 2 }),
      orders: fc.array(newOrder, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ name: 'part', ...fields }))
