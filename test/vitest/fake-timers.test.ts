import { afterAll, expect, vi } from 'vitest'
import { connect } from '../../src/connect.js'
import { test } from '../../src/vitest.js'

// Hoisted above the imports: this package sees only fake timers.
vi.hoisted(() => vi.useFakeTimers())

afterAll(() => void vi.useRealTimers())

test('waitFor resolves although timers were faked before the package was imported', async ({
  sandbox,
}) => {
  const waited = sandbox.world.requests.waitFor('listInventory')
  await sandbox.fetch('/inventory')
  expect(await waited).toMatchObject({ operation: 'listInventory', status: 200 })
})

test('waitFor rejects after its real time', async ({ sandbox }) => {
  const waited = sandbox.world.requests.waitFor('listInventory', { timeoutMs: 1 })
  await expect(waited).rejects.toThrow('waited 1 ms for listInventory, but received none')
})

test('waitFor of a remote handle resolves', async ({ sandbox }) => {
  const { apiKey, fetch } = sandbox
  const remote = await connect({ url: new URL(sandbox.baseUrl).origin, apiKey, fetch })
  const waited = remote.requests.waitFor('listInventory')
  await sandbox.fetch('/inventory')
  expect(await waited).toMatchObject({ operation: 'listInventory', status: 200 })
  await remote.close()
})

test('a delay ends when the test moves the fake timers', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'delay', delayMs: 30_000, atMost: 1 })
  const response = sandbox.fetch('/inventory')
  await vi.advanceTimersByTimeAsync(30_000)
  expect((await response).status).toBe(200)
})

test('a truncated body ends, and a large scenario is prepared', async ({ sandbox }) => {
  await sandbox.use({ name: 'large', generate: { pets: 3_000 } })
  sandbox.world.faults.add({ type: 'truncate', atMost: 1 })
  const response = await sandbox.fetch('/inventory')
  await expect(response.text()).rejects.toThrow(TypeError)
})
