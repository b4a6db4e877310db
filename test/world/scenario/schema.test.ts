import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { planIds } from '../../../src/service/plans.js'
import { faultKinds } from '../../../src/world/faults/schema.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { readScenario } from '../../../src/world/scenario/read.js'
import { readScenarioError, recordsOf } from './support.js'

const file = 'scenarios/mine.json'
const pet = { petId: 1, name: 'Bella' }
const now = '2026-01-15T09:00:00.000Z'

function read(value: unknown) {
  return readScenario(value, file)
}

/** Returns the names as an error message lists them: `"free" or "pro"`. */
function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ')
}

describe('readScenario rejects an invalid file with path, wanted and found value', () => {
  const invalid: [part: object, reason: string][] = [
    [
      { name: 'Not Kebab' },
      'name must be a name in kebab-case of at most 64 characters, found "Not Kebab" (string)',
    ],
    [{ name: 5 }, 'name must be a string, found 5 (number)'],
    [
      { colour: 'red' },
      'colour is not a known field, wanted one of $schema, name, description, extends, seed, draws, clock, apiKeys, plans, pets, orders, messages, generate, quota, deprecation, faults, rules',
    ],
    [{ seed: 1.5 }, 'seed must be an integer, found 1.5 (number)'],
    [{ draws: -1 }, 'draws must be a number of at least 0, found -1 (number)'],
    [
      { extends: 5 },
      'extends must be the name of a scenario, or an array of at most 16 names, found 5 (number)',
    ],
    [
      { clock: { now: 'noon' } },
      'clock.now must be an ISO 8601 date and time such as "2026-01-31T09:00:00Z", found "noon" (string)',
    ],
    [
      { clock: { now: '9000-01-01T00:00:00Z' } },
      'clock.now must be a time from the year 1000 to 8999, found "9000-01-01T00:00:00Z" (string)',
    ],
    [
      { deprecation: { sunsetAt: 'P36526D' } },
      'deprecation.sunsetAt must be a duration of at most 36525 days, found "P36526D" (string)',
    ],
    [{ clock: { frozen: 'yes' } }, 'clock.frozen must be true or false, found "yes" (string)'],
    [
      { apiKeys: [{ key: 'sbx_mine', plan: 'pro' }] },
      'apiKeys[0].key must be a key of 8 to 200 printable ASCII characters, without spaces, that does not begin with sbx_, found "sbx_mine" (string)',
    ],
    [
      { apiKeys: [{ key: 'with space', plan: 'pro' }] },
      'apiKeys[0].key must be a key of 8 to 200 printable ASCII characters, without spaces, that does not begin with sbx_, found "with space" (string)',
    ],
    [
      { apiKeys: [{ key: 'enterprise', plan: 'pro' }] },
      'apiKeys[0].key must be a key that is not the name of a plan, found "enterprise" (string)',
    ],
    [
      { apiKeys: [{ key: 'constructor', plan: 'pro' }] },
      'apiKeys[0].key must be a key that is not the name of a plan, found "constructor" (string)',
    ],
    [
      { apiKeys: [{ key: 'acme-key-1', plan: 'gold' }] },
      `apiKeys[0].plan must be ${quote(planIds)}, found "gold" (string)`,
    ],
    [
      { plans: { free: { requestsPerMinute: 0 } } },
      'plans.free.requestsPerMinute must be a number of at least 1, found 0 (number)',
    ],
    [
      { faults: [{ type: 'reset', rate: 0 }] },
      'faults[0].rate must be a number above 0, found 0 (number)',
    ],
    [
      { faults: [{ type: 'truncate', share: 1 }] },
      'faults[0].share must be a number below 1, found 1 (number)',
    ],
    [
      { plans: { gold: {} } },
      `plans.gold is not a known field, wanted one of ${planIds.join(', ')}`,
    ],
    [{ pets: [pet, { petId: 2 }] }, 'pets[1].name is missing, wanted a string'],
    [
      { pets: [{ ...pet, petId: '01' }] },
      'pets[0].petId must be an int64 (beyond 2^53-1 as a string of digits), found "01" (string)',
    ],
    [
      { pets: [{ ...pet, petId: '9223372036854775808' }] },
      'pets[0].petId must be an int64 (beyond 2^53-1 as a string of digits), found "9223372036854775808" (string)',
    ],
    [
      { pets: [{ ...pet, petId: 2 ** 53 }] },
      'pets[0].petId must be an int64 (beyond 2^53-1 as a string of digits), found 9007199254740992 (number)',
    ],
    [
      { pets: [{ ...pet, quantity: '5' }] },
      'pets[0].quantity must be an integer, found "5" (string)',
    ],
    [
      { pets: [{ ...pet, status: 'lost' }] },
      'pets[0].status must be "available" or "pending" or "sold", found "lost" (string)',
    ],
    [
      { pets: [pet, { ...pet, petId: '1' }] },
      'pets[1].petId must be unique in the array, found "1" (string)',
    ],
    [
      {
        orders: [
          { id: 7, petId: 1 },
          { id: 7, petId: 1 },
        ],
      },
      'orders[1].id must be unique in the array, found "7" (string)',
    ],
    [
      { messages: [{ id: 'msg_1', message: 'hi' }] },
      'messages[0].createdAt is missing, wanted an ISO 8601 date and time such as "2026-01-31T09:00:00Z"',
    ],
    [
      { generate: { pets: 20_001 } },
      'generate.pets must be a number of at most 20000, found 20001 (number)',
    ],
    [
      { quota: { free: { minute: { used: 1, remaining: 1 } } } },
      'quota.free.minute must be an object with used or remaining, not both, found an object',
    ],
    [
      { quota: { free: { ban: {} } } },
      'quota.free.ban must be an object with either until or seconds, found an object',
    ],
    [
      { deprecation: { sunsetAt: 'P1M' } },
      'deprecation.sunsetAt must be an ISO 8601 date and time, or a duration from the start of the world such as "P90D", found "P1M" (string)',
    ],
    [
      { faults: [{ type: 'explode' }] },
      `faults[0].type must be ${quote([...Object.keys(faultKinds), 'sequence'])}, found "explode" (string)`,
    ],
    [
      { faults: [{ type: 'delay' }] },
      'faults[0].delayMs is missing, wanted an integer or an object',
    ],
    [
      { rules: { quantity: { minimum: 5, maximum: 4 } } },
      'rules.quantity must be an object whose minimum is at most its maximum, found an object',
    ],
    [
      { rules: { additionalFields: true } },
      'rules.additionalFields must be "reject" or "ignore", found true (boolean)',
    ],
  ]

  test.each(invalid)('%j', async (part, reason) => {
    const message = await readScenarioError(() => read({ name: 'mine', ...part }))
    expect(message).toBe(`${file}: ${reason}`)
  })

  test('readScenario reports at most 20 problems', async () => {
    const pets = Array.from({ length: 30 }, (_, petId) => ({ petId }))
    const lines = (await readScenarioError(() => read({ name: 'mine', pets }))).split('\n')
    expect(lines[0]).toBe(`${file}: 30 problems`)
    expect(lines[20]).toBe('  pets[19].name is missing, wanted a string')
    expect(lines.slice(21)).toEqual(['  and 10 more'])
  })

  test('readScenario does not show the whole key when a key is listed twice', async () => {
    const apiKeys = [
      { key: 'acme-live-key-0001', plan: 'pro' },
      { key: 'acme-live-key-0001', plan: 'free' },
    ]
    const message = await readScenarioError(() => read({ name: 'mine', apiKeys }))
    expect(message).toContain('apiKeys[1].key must be unique in the array')
    expect(message).toContain('"acme-live-ke…"')
    expect(message).not.toContain('acme-live-key-0001')
  })
})

describe('prepare rejects a merged scenario with values that contradict each other', () => {
  const invalid: [part: object, reason: string][] = [
    [
      { quota: { gold: {} } },
      `quota.gold is not a known name, wanted ${planIds.join(', ')}, a key of apiKeys or *`,
    ],
    [
      { quota: { 'acme-live-key-0001': {} } },
      `quota.acme-live-ke… is not a known name, wanted ${planIds.join(', ')}, a key of apiKeys or *`,
    ],
    [{ generate: { orders: 1 } }, 'generate.orders must be 0 without pets, found 1'],
    [
      {
        clock: { now },
        quota: { free: { minute: { used: 1, resetsAt: '2026-01-15T09:01:00.001Z' } } },
      },
      'quota.free.minute.resetsAt must be at most 2026-01-15T09:01:00.000Z, found "2026-01-15T09:01:00.001Z"',
    ],
    [
      { clock: { now }, quota: { '*': { day: { resetsAt: '2026-01-16T09:00:00.001Z' } } } },
      'quota["*"].day.resetsAt must be at most 2026-01-16T09:00:00.000Z, found "2026-01-16T09:00:00.001Z"',
    ],
    [
      {
        clock: { now },
        quota: { pro: { ban: { until: '2026-02-01T00:00:00Z', since: '2026-01-20T00:00:00Z' } } },
      },
      'quota.pro.ban.since must be at most 2026-01-15T09:00:00.000Z, found "2026-01-20T00:00:00Z"',
    ],
    [
      { deprecation: { deprecatedAt: '2026-02-01T00:00:00Z', sunsetAt: '2026-01-31T23:59:59Z' } },
      'deprecation.sunsetAt must be at or after deprecation.deprecatedAt, "2026-02-01T00:00:00Z", found "2026-01-31T23:59:59Z"',
    ],
    [
      { deprecation: { sunsetAt: '-P31D' } },
      'deprecation.sunsetAt must be at or after deprecation.deprecatedAt, "-P30D", found "-P31D"',
    ],
    [
      { clock: { now }, deprecation: { sunsetAt: '2025-12-15T00:00:00Z' } },
      'deprecation.sunsetAt must be at or after deprecation.deprecatedAt, "-P30D", found "2025-12-15T00:00:00Z"',
    ],
    [
      { pets: [pet], generate: { pets: 20_000 } },
      'generate.pets must be at most 19999 in addition to the listed ones, found 20000',
    ],
    [
      { pets: [{ ...pet, petId: '9223372036854775806' }], generate: { pets: 2 } },
      'generate must result in ids below 2^63, found 2 ids after 9223372036854775806',
    ],
  ]

  test.each(invalid)('%j', async (part, reason) => {
    const scenario = { name: 'mine', ...part }
    const message = await readScenarioError(() => new ScenarioLibrary().prepare(scenario))
    expect(message).toBe(`scenario object: ${reason}`)
  })
})

test('a window that resets too late for the real time is rejected when the real time is known', async () => {
  const library = new ScenarioLibrary()
  const quota = { free: { minute: { resetsAt: '2026-01-15T09:01:00Z' } } }
  library.add({ name: 'mine', quota }, file)
  await expect(library.prepare('mine')).resolves.toMatchObject({ quota })
  await expect(library.prepare('mine', Date.parse(now))).resolves.toMatchObject({ quota })
  expect(await readScenarioError(() => library.prepare('mine', Date.parse(now) - 1))).toBe(
    `scenario mine: quota.free.minute.resetsAt must be at most 2026-01-15T09:00:59.999Z, found "2026-01-15T09:01:00Z"`,
  )
})

test('a deprecation at the sunset is accepted', async () => {
  const deprecation = { deprecatedAt: 'P1D', sunsetAt: 'P1D' }
  const seed = await new ScenarioLibrary().prepare({ name: 'mine', deprecation })
  expect(seed.deprecation).toMatchObject(deprecation)
})

test('pets can have a negative quantity, which rules.quantity can allow', async () => {
  const seed = await new ScenarioLibrary().prepare({
    name: 'mine',
    pets: [{ ...pet, quantity: -3 }],
  })
  expect(recordsOf(seed).pets).toMatchObject([{ quantity: -3 }])
})

test('a scenario with only a name has no data and the limits of the specification', async () => {
  const seed = await new ScenarioLibrary().prepare({ name: 'bare' })
  expect(seed).toMatchObject({
    scenario: 'bare',
    seed: 1,
    draws: 0,
    clock: {},
    apiKeys: {},
    quota: {},
    faults: [],
    deprecation: { deprecatedAt: '-P30D', sunsetAt: 'P90D', afterSunset: 'gone' },
    rules: {
      messageStatus: 200,
      additionalFields: 'reject',
      inventoryUpdate: 'current',
      ban: { rejections: 10, seconds: 300 },
    },
  })
  expect(recordsOf(seed)).toEqual({ pets: [], orders: [], messages: [] })
  expect(seed.plans.free).toEqual({ requestsPerMinute: 60, requestsPerDay: 1_000 })
})

test('additional fields of pets and orders are preserved', async () => {
  const seed = await new ScenarioLibrary().prepare({
    name: 'mine',
    pets: [{ ...pet, chip: { id: '0a', since: null } }],
    orders: [{ id: 1, petId: 1, note: ['fragile'] }],
  })
  expect(recordsOf(seed).pets[0]).toMatchObject({ petId: '1', chip: { id: '0a', since: null } })
  expect(recordsOf(seed).orders[0]).toMatchObject({ id: '1', note: ['fragile'] })
})

test('readScenario copies the object, so later changes have no effect', () => {
  const pets = [{ petId: 1, name: 'Bella', tags: ['calm'] }]
  const { fields, lists } = read({ name: 'mine', pets, seed: 1, orders: undefined })
  pets[0]?.tags.push('changed')
  expect(fields).toEqual({ name: 'mine', seed: 1 })
  expect(Object.keys(fields)).toEqual(['name', 'seed'])
  expect(lists.pets).toMatchObject([{ petId: '1', name: 'Bella', tags: ['calm'], quantity: 1 }])
  expect(Object.keys(lists)).toEqual(['pets'])
})

test.each(['three-pets', 'lost-responses'])(
  'the example %s is valid and can be merged',
  async (name) => {
    const path = new URL(`../../../examples/scenarios/${name}.json`, import.meta.url)
    const library = new ScenarioLibrary()
    library.add(JSON.parse(await readFile(path, 'utf8')), `${name}.json`)
    expect((await library.prepare(name)).scenario).toBe(name)
  },
)
