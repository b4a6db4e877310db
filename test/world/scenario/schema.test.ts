import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { planIds } from '../../../src/service/plans.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { readScenario } from '../../../src/world/scenario/read.js'
import { readScenarioError, recordsOf } from './support.js'

const file = 'scenarios/mine.json'
const pet = { petId: 1, name: 'Bella' }
const now = '2026-01-15T09:00:00.000Z'

function read(value: unknown) {
  return readScenario(value, file)
}

// The golden file `cli-errors` has the messages for other invalid files.
test.each(['enterprise', 'constructor'])('readScenario rejects the listed key %s', async (key) => {
  const apiKeys = [{ key, plan: 'pro' }]
  expect(await readScenarioError(() => read({ name: 'mine', apiKeys }))).toBe(
    `${file}: apiKeys[0].key must be a key that is not the name of a plan, found "${key}" (string)`,
  )
})

test.each<[part: object, reason: string]>([
  [
    { quota: { 'acme-live-key-0001': {} } },
    `quota.acme-live-ke… is not a known name, wanted ${planIds.join(', ')}, a key of apiKeys or *`,
  ],
  [
    { pets: [pet], generate: { pets: 20_000 } },
    'generate.pets must be at most 19999 in addition to the listed ones, found 20000',
  ],
])(
  'prepare rejects a merged scenario with values that contradict each other: %j',
  async (part, reason) => {
    const scenario = { name: 'mine', ...part }
    const message = await readScenarioError(() => new ScenarioLibrary().prepare(scenario))
    expect(message).toBe(`scenario object: ${reason}`)
  },
)

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

test.each(['three-pets', 'lost-responses'])(
  'the example %s is valid and can be merged',
  async (name) => {
    const path = new URL(`../../../examples/scenarios/${name}.json`, import.meta.url)
    const library = new ScenarioLibrary()
    library.add(JSON.parse(await readFile(path, 'utf8')), `${name}.json`)
    expect((await library.prepare(name)).scenario).toBe(name)
  },
)
