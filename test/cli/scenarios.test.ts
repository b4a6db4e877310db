import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInScenarios } from '../../src/world/scenario/library.js'
import { createDirectory, run } from './support.js'

test('scenarios lists every built-in scenario with its description', async () => {
  const { code, stdout } = await run(['scenarios'])
  expect(code).toBe(0)
  for (const { name, description } of builtInScenarios) {
    expect(stdout).toMatch(new RegExp(`^${name} +`, 'm'))
    expect(stdout).toContain(description)
  }
})

test('scenarios --json prints an array that includes the scenarios of --scenarios with their sources', async () => {
  const directory = await createDirectory({
    'shop.json': { name: 'my-shop', description: 'Mine.' },
    'shop.schema.json': { type: 'object' },
    'notes.txt': 'not a scenario',
  })
  const { stdout } = await run(['scenarios', '--json', '--scenarios', directory])
  const list: unknown[] = JSON.parse(stdout)
  expect(list).toHaveLength(builtInScenarios.length + 1)
  const source = join(directory, 'shop.json')
  expect(list).toContainEqual({ name: 'my-shop', description: 'Mine.', source })
})

test('scenarios reads the directory from an environment variable', async () => {
  const directory = await createDirectory({ 'shop.json': { name: 'my-shop' } })
  const { stdout } = await run(['scenarios'], { PETSTORE_SANDBOX_SCENARIOS: directory })
  expect(stdout).toMatch(/^my-shop +/m)
})
