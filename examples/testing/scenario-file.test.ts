import { join } from 'node:path'
import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import threePets from '../scenarios/three-pets.json' with { type: 'json' }

// Once in a project: the names of your own scenarios.
declare module 'petstore-sandbox' {
  interface ScenarioNames {
    'three-pets': true
  }
}

test.override({ sandboxOptions: { scenarioDirectory: join(import.meta.dirname, '../scenarios') } })

test('starts from a scenario file, imported or by its name', async ({ sandbox }) => {
  await sandbox.use(threePets)
  expect(sandbox.world.db.pets.count).toBe(3)

  await sandbox.use('three-pets')
  expect(sandbox.world.db.pets.count).toBe(3)
})
