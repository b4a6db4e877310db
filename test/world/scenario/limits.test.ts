import { beforeEach, describe, expect, test, vi } from 'vitest'
import { passTurn } from '../../../src/service/timers.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import type { Scenario } from '../../../src/world/scenario/schema.js'
import { readScenarioError, recordsOf } from './support.js'

vi.mock(import('../../../src/service/timers.js'), async (load) => {
  const original = await load()
  return { ...original, passTurn: vi.fn(original.passTurn) }
})

/** Rejects `prepare` and returns the message. */
function readError(source: Parameters<ScenarioLibrary['prepare']>[0]): Promise<string> {
  return readScenarioError(() => new ScenarioLibrary().prepare(source))
}

function repeat<T>(length: number, create: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => create(index))
}

/** Creates `quota` with accounts of listed keys. */
function createQuota(length: number, prefix = 'shop-key'): Record<string, object> {
  return Object.fromEntries(repeat(length, (index) => [`${prefix}-${index}`, {}]))
}

const createPet = (index: number) => ({ petId: index, name: `Pet ${index}` })

describe('prepare rejects', () => {
  test('more than 16 scenarios, before it reads one', async () => {
    let reads = 0
    const part = {
      get name() {
        reads += 1
        return 'mine'
      },
    }
    const message = await readError(repeat(60_000, () => part))
    expect([message, reads]).toEqual(['scenario: must be at most 16 scenarios, found 60000', 0])
    await new ScenarioLibrary().prepare(repeat(16, () => part))
    expect(reads).toBe(16)
  })

  test('more than 1,000 entries in apiKeys', async () => {
    const toKeys = (length: number) =>
      repeat(length, (index) => ({ key: `shop-key-${index}`, plan: 'pro' as const }))
    const message = await readError({ name: 'mine', apiKeys: toKeys(1_001) })
    expect(message).toBe(
      'scenario object: apiKeys must be an array of at most 1000 entries, found an array of 1001',
    )
    const { apiKeys } = await new ScenarioLibrary().prepare({
      name: 'mine',
      apiKeys: toKeys(1_000),
    })
    expect(Object.keys(apiKeys)).toHaveLength(1_000)
  })

  test('more than 1,000 entries in quota, also in a merged one', async () => {
    const reason = 'quota must be an object of at most 1000 entries, found'
    expect(await readError({ name: 'mine', quota: createQuota(1_001) })).toContain(`${reason} 1001`)
    const scenarios = ['a', 'b'].map((name) => ({ name, quota: createQuota(600, name) }))
    expect(await readError(scenarios)).toContain(`${reason} 1200`)
    const apiKeys = repeat(1_000, (index) => ({ key: `shop-key-${index}`, plan: 'pro' as const }))
    const seed = await new ScenarioLibrary().prepare({
      name: 'mine',
      apiKeys,
      quota: createQuota(1_000),
    })
    expect(Object.keys(seed.quota)).toHaveLength(1_000)
  })

  test('more than 20,000 values in one pet, and in all other fields', async () => {
    const values = repeat(150, () => repeat(150, () => 1))
    expect(await readError({ name: 'mine', pets: [{ ...createPet(1), values }] })).toContain(
      'pets[0] must be at most 20000 values, found more',
    )
    expect(await readError({ name: 'mine', values } as Scenario)).toContain(
      'the scenario must be at most 20000 values, found more',
    )
  })

  test('20,000 invalid pets with 50 problems, and reads no pet after the 50th problem', async () => {
    let reads = 0
    const pets = repeat(20_000, () => ({
      get petId() {
        reads += 1
        return 'wrong'
      },
      name: 1,
    })) as unknown as Scenario['pets']
    const message = await readError({ name: 'mine', pets })
    expect(message).toMatch(/^scenario object: at least 50 problems\n/)
    expect(message).toContain('and 30 more')
    expect(message.length).toBeLessThan(5_000)
    expect(reads).toBe(25)
  })

  test.each<[what: string, scenario: object]>([
    ['a name', { name: 'mine', ['x'.repeat(1_000_000)]: 1 }],
    ['a key of quota', { name: 'mine', quota: { ['x'.repeat(1_000_000)]: { minute: 1 } } }],
    ['a time', { name: 'mine', clock: { now: `2026-01-01T00:00:00.${'0'.repeat(1_000_000)}` } }],
    [
      'a valid time that is too late',
      {
        name: 'mine',
        clock: { now: '2026-01-01T00:00:00Z' },
        quota: { free: { minute: { resetsAt: `2027-01-01T00:00:00.${'0'.repeat(1_000_000)}Z` } } },
      },
    ],
    ['a parent', { name: 'mine', extends: 'x'.repeat(1_000_000) }],
    [
      'a nested name',
      { name: 'mine', pets: [{ ...createPet(1), tags: { ['€'.repeat(1e6)]: 1 } }] },
    ],
  ])('%s of a million characters with a short message', async (_, scenario) => {
    const message = await readError(scenario as Scenario)
    expect(message.length).toBeLessThan(1_500)
  })
})

test('merging changes no scenario of the library', async () => {
  const library = new ScenarioLibrary()
  library.add({ name: 'one', rules: { ban: { seconds: 5 } }, quota: { free: {} } }, 'one.json')
  library.add({ name: 'two', rules: { ban: { rejections: 2 } }, quota: { pro: {} } }, 'two.json')
  const before = await library.prepare('one')
  await library.prepare(['one', 'two'])
  library.add({ name: 'three' }, 'three.json')
  const after = await library.prepare('one')
  expect([after.rules.ban, after.quota]).toEqual([before.rules.ban, before.quota])
  expect(after.quota).toEqual({ free: {} })
})

describe('preparing a scenario', () => {
  beforeEach(() => {
    vi.mocked(passTurn).mockClear()
  })

  const orders = repeat(500, (index) => ({ id: index, petId: 1 }))
  const large: Scenario = { name: 'large', pets: repeat(500, createPet), orders }

  test.each<[string, Scenario]>([
    ['reading and loading it', large],
    ['generating and loading it', { name: 'large', generate: { pets: 500, orders: 500 } }],
  ])('lets other requests run between %s', async (_, scenario) => {
    const { pets } = recordsOf(await new ScenarioLibrary().prepare(scenario))
    expect(passTurn).toHaveBeenCalledTimes(2)
    expect(pets).toEqual(recordsOf(await new ScenarioLibrary().prepare(scenario)).pets)
  })

  test('is done once for concurrent requests of a name', async () => {
    const library = new ScenarioLibrary()
    library.add(large, 'large.json')
    const [first, second] = await Promise.all([library.prepare('large'), library.prepare('large')])
    expect(second).toBe(first)
  })
})

describe('a seed', () => {
  test('is shared if the library has prepared it by its name', async () => {
    const library = new ScenarioLibrary()
    library.add({ name: 'mine' }, 'mine.json')
    const shared = await library.prepare('mine')
    const unshared = await Promise.all([
      library.prepare({ name: 'mine' }),
      library.prepare(['mine', 'flaky']),
      library.prepare([{ name: 'mine' }]),
    ])
    expect(shared.isShared).toBe(true)
    expect(await library.prepare(['mine'])).toBe(shared)
    for (const seed of unshared) expect(seed.isShared).toBe(false)
  })

  test('states bytes that include its records, quota and keys', async () => {
    const sizeOf = async (parts: object) =>
      (await new ScenarioLibrary().prepare({ name: 'mine', ...parts })).bytes
    const empty = await sizeOf({})
    const quota = { '*': { minute: { used: 1 } } }
    for (const parts of [
      { pets: [{ ...createPet(1), note: 'x'.repeat(50_000) }] },
      { orders: repeat(300, (index) => ({ id: index, petId: 1 })) },
      { messages: [{ id: 'm', message: 'x'.repeat(50_000), createdAt: '2026-01-01T00:00:00Z' }] },
      { generate: { pets: 200 } },
      { apiKeys: repeat(300, (index) => ({ key: `${index}${'x'.repeat(150)}`, plan: 'pro' })) },
    ]) {
      expect(await sizeOf(parts), Object.keys(parts)[0]).toBeGreaterThan(empty + 45_000)
    }
    expect(await sizeOf({ quota })).toBeGreaterThan(empty)
  })
})

test('the path of a file is in no error of prepare and in no summary', async () => {
  const library = new ScenarioLibrary()
  const path = '/srv/private/shop.json'
  library.add({ name: 'shop', extends: 'no-such' }, path)
  library.add(
    {
      name: 'late',
      quota: { free: { ban: { until: '2027-01-01T00:00:00Z', since: '2027-01-01T00:00:00Z' } } },
    },
    path,
  )
  library.add({ name: 'child', extends: 'shop' }, path)
  const errors = await Promise.all(
    ['shop', 'child', 'late'].map((name) => readScenarioError(() => library.prepare(name, 0))),
  )
  for (const message of errors) {
    expect(message).toMatch(/^scenario (shop|late): /)
    expect(message).not.toContain('private')
  }
  expect(JSON.stringify(library.list())).not.toContain('private')
  expect(library.fileOf('shop')).toBe(path)
  expect(library.fileOf('default')).toBeUndefined()
})
