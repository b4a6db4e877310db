import { describe, expect, test } from 'vitest'
import { ScenarioLibrary } from '../../src/scenario/library.js'
import { readScenario } from '../../src/scenario/read.js'
import { readRefusal } from './support.js'

const file = 'scenarios/mine.json'
const pet = { petId: 1, name: 'Bella' }

describe('a scenario file that does not fit is refused with file, path, what was found and what was wanted', () => {
  const refusals: [part: object, reason: string][] = [
    [
      { name: 'Not Kebab' },
      'name must be a name in kebab-case of at most 64 characters, found "Not Kebab" (string)',
    ],
    [{ name: 5 }, 'name must be a string, found 5 (number)'],
    [
      { colour: 'red' },
      'colour is not a field here, wanted one of $schema, name, description, extends, seed, draws, clock, apiKeys, plans, pets, orders, messages, generate, quota, deprecation, faults, rules',
    ],
    [{ seed: 1.5 }, 'seed must be an integer, found 1.5 (number)'],
    [{ draws: -1 }, 'draws must be a number of at least 0, found -1 (number)'],
    [
      { extends: 5 },
      'extends must be the name of a scenario, or an array of at most 16 of them, found 5 (number)',
    ],
    [
      { clock: { now: 'noon' } },
      'clock.now must be an ISO 8601 date and time such as "2026-01-31T09:00:00Z", found "noon" (string)',
    ],
    [
      { clock: { now: '9000-01-01T00:00:00Z' } },
      'clock.now must be a moment from the year 1000 to 8999, found "9000-01-01T00:00:00Z" (string)',
    ],
    [
      { deprecation: { sunsetAt: 'P36526D' } },
      'deprecation.sunsetAt must be a duration of at most 36525 days, found "P36526D" (string)',
    ],
    [{ clock: { frozen: 'yes' } }, 'clock.frozen must be true or false, found "yes" (string)'],
    [
      { apiKeys: [{ key: 'sbx_mine', plan: 'pro' }] },
      'apiKeys[0].key must be 8 to 200 printable characters without spaces that do not begin with sbx_, found "sbx_mine" (string)',
    ],
    [
      { apiKeys: [{ key: 'with space', plan: 'pro' }] },
      'apiKeys[0].key must be 8 to 200 printable characters without spaces that do not begin with sbx_, found "with space" (string)',
    ],
    [
      { apiKeys: [{ key: 'enterprise', plan: 'pro' }] },
      'apiKeys[0].key must be a key that is not a plan, found "enterprise" (string)',
    ],
    [
      { apiKeys: [{ key: 'constructor', plan: 'pro' }] },
      'apiKeys[0].key must be a key that is not a plan, found "constructor" (string)',
    ],
    [
      { apiKeys: [{ key: 'acme-key-1', plan: 'gold' }] },
      'apiKeys[0].plan must be "free" or "pro" or "business" or "enterprise", found "gold" (string)',
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
      'plans.gold is not a field here, wanted one of free, pro, business, enterprise',
    ],
    [{ pets: [pet, { petId: 2 }] }, 'pets[1].name is missing, wanted a string'],
    [
      { pets: [{ ...pet, petId: '01' }] },
      'pets[0].petId must be an int64 (past 2^53-1 as a string of digits), found "01" (string)',
    ],
    [
      { pets: [{ ...pet, petId: '9223372036854775808' }] },
      'pets[0].petId must be an int64 (past 2^53-1 as a string of digits), found "9223372036854775808" (string)',
    ],
    [
      { pets: [{ ...pet, petId: 2 ** 53 }] },
      'pets[0].petId must be an int64 (past 2^53-1 as a string of digits), found 9007199254740992 (number)',
    ],
    [
      { pets: [{ ...pet, quantity: '5' }] },
      'pets[0].quantity must be an integer from 0, found "5" (string)',
    ],
    [
      { pets: [{ ...pet, status: 'lost' }] },
      'pets[0].status must be "available" or "pending" or "sold", found "lost" (string)',
    ],
    [
      { pets: [pet, { ...pet, petId: '1' }] },
      'pets[1].petId must be another petId than the entries before, found "1" (string)',
    ],
    [
      {
        orders: [
          { id: 7, petId: 1 },
          { id: 7, petId: 1 },
        ],
      },
      'orders[1].id must be another id than the entries before, found "7" (string)',
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
      'quota.free.minute must be either used or remaining, not both, found an object',
    ],
    [
      { quota: { free: { ban: {} } } },
      'quota.free.ban must be either until or seconds, found an object',
    ],
    [
      { deprecation: { sunsetAt: 'P1M' } },
      'deprecation.sunsetAt must be an ISO 8601 date and time, or a duration from the start of the world such as "P90D", found "P1M" (string)',
    ],
    [
      { faults: [{ type: 'explode' }] },
      'faults[0].type must be "status" or "delay" or "reset" or "truncate", found "explode" (string)',
    ],
    [{ faults: [{ type: 'delay' }] }, 'faults[0].delayMs is missing, wanted an integer'],
    [
      { rules: { quantity: { minimum: 5, maximum: 4 } } },
      'rules.quantity must be a minimum that is not above the maximum, found an object',
    ],
    [
      { rules: { additionalFields: true } },
      'rules.additionalFields must be "reject" or "ignore", found true (boolean)',
    ],
  ]

  test.each(refusals)('%j', async (part, reason) => {
    const refusal = await readRefusal(() => readScenario({ name: 'mine', ...part }, file))
    expect(refusal).toBe(`${file}: ${reason}`)
  })

  test('names every mismatch, 20 of them at the most', async () => {
    const pets = Array.from({ length: 30 }, (_, petId) => ({ petId }))
    const lines = (await readRefusal(() => readScenario({ name: 'mine', pets }, file))).split('\n')
    expect(lines[0]).toBe(`${file}: 30 problems`)
    expect(lines[20]).toBe('  pets[19].name is missing, wanted a string')
    expect(lines.slice(21)).toEqual(['  and 10 more'])
  })

  test('a key that is listed twice is not shown whole', async () => {
    const apiKeys = [
      { key: 'acme-live-key-0001', plan: 'pro' },
      { key: 'acme-live-key-0001', plan: 'free' },
    ]
    const refusal = await readRefusal(() => readScenario({ name: 'mine', apiKeys }, file))
    expect(refusal).toContain('apiKeys[1].key must be another key')
    expect(refusal).toContain('"acme-live-ke…"')
    expect(refusal).not.toContain('acme-live-key-0001')
  })
})

describe('a scenario file is checked once more when its parts are merged', () => {
  const refusals: [part: object, reason: string][] = [
    [
      { quota: { gold: {} } },
      'quota must name free, pro, business, enterprise, a key of apiKeys or *, found "gold" (string)',
    ],
    [
      { quota: { 'acme-live-key-0001': {} } },
      'quota must name free, pro, business, enterprise, a key of apiKeys or *, found "acme-live-ke…" (string)',
    ],
    [{ generate: { orders: 1 } }, 'generate.orders must be 0 without pets, found 1'],
    [
      { pets: [pet], generate: { pets: 20_000 } },
      'generate.pets must be at most 19999 beside the listed ones, found 20000',
    ],
    [
      { pets: [{ ...pet, petId: '9223372036854775806' }], generate: { pets: 2 } },
      'generate must leave its ids below 2^63, found 2 of them to come after 9223372036854775806',
    ],
  ]

  test.each(refusals)('%j', async (part, reason) => {
    const scenario = { name: 'mine', ...part }
    const refusal = await readRefusal(() => new ScenarioLibrary().prepare(scenario))
    expect(refusal).toBe(`scenario object: ${reason}`)
  })
})

test('a scenario that only has a name starts an empty world with the limits of the specification', async () => {
  const seed = await new ScenarioLibrary().prepare({ name: 'bare' })
  expect(seed).toMatchObject({
    scenario: 'bare',
    seed: 1,
    draws: 0,
    clock: {},
    apiKeys: {},
    pets: [],
    orders: [],
    messages: [],
    quota: {},
    faults: [],
    deprecation: { deprecatedAt: '-P30D', sunsetAt: 'P90D', afterSunset: 'gone' },
    rules: {
      messageStatus: 200,
      additionalFields: 'reject',
      ban: { rejections: 10, seconds: 300 },
    },
  })
  expect(seed.plans.free).toEqual({ requestsPerMinute: 60, requestsPerDay: 1_000 })
})

test('further fields of pets and orders are kept as given', async () => {
  const seed = await new ScenarioLibrary().prepare({
    name: 'mine',
    pets: [{ ...pet, chip: { id: '0a', since: null } }],
    orders: [{ id: 1, petId: 1, note: ['fragile'] }],
  })
  expect(seed.pets[0]).toMatchObject({ petId: '1', chip: { id: '0a', since: null } })
  expect(seed.orders[0]).toMatchObject({ id: '1', note: ['fragile'] })
})

test('a scenario object is copied: what happens to it later changes nothing', () => {
  const pets = [{ petId: 1, name: 'Bella', tags: ['calm'] }]
  const scenario = readScenario({ name: 'mine', pets, orders: undefined }, file)
  pets[0]?.tags.push('changed')
  expect(scenario).toEqual({ name: 'mine', pets: [{ petId: 1, name: 'Bella', tags: ['calm'] }] })
  expect(Object.keys(scenario)).toEqual(['name', 'pets'])
})
