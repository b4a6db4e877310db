import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInScenarios } from '../../src/scenario/built-in.js'
import { createDirectory, run } from './support.js'

test('scenarios lists every built-in scenario with its description', async () => {
  const { code, stdout } = await run(['scenarios'])
  expect(code).toBe(0)
  for (const { name, description } of builtInScenarios) {
    expect(stdout).toMatch(new RegExp(`^${name} +`, 'm'))
    expect(stdout).toContain(description)
  }
})

test('scenarios --json gives an array, with those of --scenarios and where they come from', async () => {
  const directory = await createDirectory({
    'shop.json': { name: 'my-shop', description: 'Mine.' },
    'shop.schema.json': { type: 'object' },
    'notes.txt': 'no scenario',
  })
  const { stdout } = await run(['scenarios', '--json', '--scenarios', directory])
  const list: unknown[] = JSON.parse(stdout)
  expect(list).toHaveLength(builtInScenarios.length + 1)
  const source = join(directory, 'shop.json')
  expect(list).toContainEqual({ name: 'my-shop', description: 'Mine.', source })
})

test('scenarios takes its directory from the environment', async () => {
  const directory = await createDirectory({ 'shop.json': { name: 'my-shop' } })
  const { stdout } = await run(['scenarios'], { PETSTORE_SANDBOX_SCENARIOS: directory })
  expect(stdout).toMatch(/^my-shop +/m)
})
