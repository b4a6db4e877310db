import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

const startMs = Date.UTC(2026, 0, 15, 9)

async function open() {
  const sandbox = await createSandbox({ scenario: 'low-stock', now: () => startMs })
  const { world, core } = sandbox
  return { sandbox, world, core }
}

const authorization = { Authorization: 'Bearer sbx_free' }
const inventoryUrl = 'https://api.petstore.example/v1/inventory'

test('watch reports each world that a service or control request may have changed', async () => {
  const { sandbox, core, world } = await open()
  const seen: unknown[] = []
  const end = core.watch((changed) => seen.push(changed))

  await sandbox.fetch(inventoryUrl, { headers: authorization })
  expect(seen).toEqual([world])

  const clockUrl = 'https://api.petstore.example/sandbox/clock'
  await sandbox.fetch(clockUrl, { headers: authorization })
  expect(seen, 'reading the clock changes nothing').toHaveLength(1)
  const headers = { ...authorization, 'Content-Type': 'application/json' }
  await sandbox.fetch(clockUrl, { method: 'PATCH', headers, body: '{"frozen":true}' })
  expect(seen).toEqual([world, world])

  end()
  await sandbox.fetch(inventoryUrl, { headers: authorization })
  expect(seen).toHaveLength(2)
})

test('worlds() returns the existing worlds', async () => {
  const { sandbox, core, world } = await open()
  const labelled = await sandbox.worldFor('sbx_free_default_ci-7')
  expect(core.worlds().map(({ name }) => name)).toEqual([world.name, labelled.name])
})

test('sourceOf returns the source that a seed was prepared from', async () => {
  const { core } = await open()
  const { library } = core.settings
  const own = { name: 'mine', extends: 'default' }
  expect(library.sourceOf(core.initialSeed)).toEqual(['low-stock'])
  expect(library.sourceOf(await library.prepare(['flaky', own]))).toEqual(['flaky', own])
})
