import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSandbox, readScenarioDirectory, ScenarioError } from '../../src/node.js'
import { createDirectory } from './support.js'

const shop = { name: 'my-shop', pets: [{ petId: 5, name: 'A', status: 'sold', quantity: 0 }] }

describe('createSandbox with a directory', () => {
  test('adds its scenarios to the built-in ones', async () => {
    const scenarioDirectory = await createDirectory({ 'shop.json': shop })
    // @ts-expect-error: the types do not know this name.
    const sandbox = await createSandbox({ scenarioDirectory, scenario: 'my-shop' })
    expect(sandbox.world.db.pets.list()).toMatchObject([{ petId: '5' }])
    const other = await sandbox.worldFor('sbx_free_low-stock')
    expect(other.scenario).toBe('low-stock')
  })

  test('throws if a file is invalid', async () => {
    const scenarioDirectory = await createDirectory({ 'shop.json': { ...shop, seed: 'x' } })
    await expect(createSandbox({ scenarioDirectory })).rejects.toThrow(ScenarioError)
    await expect(createSandbox({ scenarioDirectory })).rejects.toThrow('shop.json: seed must be')
  })
})

test('readScenarioDirectory reads .json files sorted by name, without schemas and hidden files', async () => {
  const directory = await createDirectory({
    'b.json': { name: 'b' },
    'a.json': { name: 'a' },
    'a.schema.json': {},
    '.hidden.json': {},
    'a.txt': '',
  })
  expect(await readScenarioDirectory(directory)).toEqual([
    { file: { name: 'a' }, source: join(directory, 'a.json') },
    { file: { name: 'b' }, source: join(directory, 'b.json') },
  ])
})
