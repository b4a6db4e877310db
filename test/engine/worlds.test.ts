import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

const startMs = Date.UTC(2026, 0, 15, 9)

async function open() {
  const sandbox = await createSandbox({ scenario: 'low-stock', now: () => startMs })
  const { world, core } = sandbox
  return { sandbox, world, core }
}

test('worlds() returns the existing worlds', async () => {
  const { sandbox, core, world } = await open()
  const labelled = await sandbox.worldFor('sbx_free_default_ci-7')
  expect(core.worlds.all().map(({ name }) => name)).toEqual([world.name, labelled.name])
})

test('a seed names the known scenarios that it was prepared from, if no other one is among them', async () => {
  const { core } = await open()
  const { library } = core.settings
  const own = { name: 'mine', extends: 'default' }
  expect(core.worlds.initialSeed.names).toEqual(['low-stock'])
  expect((await library.prepare(['flaky', 'default'])).names).toEqual(['flaky', 'default'])
  expect((await library.prepare(['flaky', own])).names).toBeUndefined()
})
