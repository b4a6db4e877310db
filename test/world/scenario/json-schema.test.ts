import { readdir, readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { toScenarioJsonSchema } from '../../../scripts/scenario-schema.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { toSnapshot } from '../../../src/world/scenario/snapshot.js'
import { createWorld } from './support.js'

const folder = new URL('../../../scenarios/', import.meta.url)
const schemaFile = 'scenario.schema.json'

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(file, folder), 'utf8'))
}

const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  formats: { 'date-time': true },
})
const validate = ajv.compile(toScenarioJsonSchema())

const scenarioFiles = (await readdir(folder)).filter((file) => file !== schemaFile)

describe(schemaFile, () => {
  test('matches the zod schema; if not, run npm run derive', async () => {
    expect(await readJson(schemaFile)).toEqual(JSON.parse(JSON.stringify(toScenarioJsonSchema())))
  })

  test('describes every field', () => {
    const undescribed: string[] = []
    visit(toScenarioJsonSchema(), '')
    expect(undescribed).toEqual([])

    function visit(node: unknown, path: string): void {
      if (typeof node !== 'object' || node === null) return
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties') collect(value, path)
        visit(value, `${path}/${key}`)
      }
    }

    function collect(fields: object, path: string): void {
      for (const [field, schema] of Object.entries(fields)) {
        if (typeof schema.description !== 'string') undescribed.push(`${path}/${field}`)
      }
    }
  })

  test.each(scenarioFiles)('accepts %s, which refers to it', async (file) => {
    const scenario = await readJson(file)
    expect(validate(scenario) ? [] : validate.errors).toEqual([])
    expect(scenario).toMatchObject({ $schema: `./${schemaFile}`, name: file.replace('.json', '') })
  })

  test('accepts a snapshot', async () => {
    const world = createWorld(
      await new ScenarioLibrary().prepare(['int64-ids', 'flaky', 'banned-key']),
    )
    world.quota.account('free').charge()
    expect(validate(toSnapshot(world)) ? [] : validate.errors).toEqual([])
  })

  test.each<[where: string, part: object]>([
    ['/name', { name: 'Not Kebab' }],
    ['', { colour: 'red' }],
    ['/pets/0', { pets: [{ petId: 1 }] }],
    ['/pets/0/petId', { pets: [{ petId: '01', name: 'Bella' }] }],
    ['/pets/0/status', { pets: [{ petId: 1, name: 'Bella', status: 'lost' }] }],
    ['/apiKeys/0/key', { apiKeys: [{ key: 'sbx_free', plan: 'free' }] }],
    ['/plans/free/requestsPerDay', { plans: { free: { requestsPerDay: 0 } } }],
    ['/quota/free', { quota: { free: { hour: {} } } }],
    ['/faults/0', { faults: [{ type: 'explode' }] }],
    ['/deprecation/sunsetAt', { deprecation: { sunsetAt: 'soon' } }],
  ])('rejects, at %j, %j', (where, part) => {
    expect(validate({ name: 'mine', ...part })).toBe(false)
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(where)
  })
})

test('rejects a scenario without a name', () => {
  expect(validate({})).toBe(false)
})
