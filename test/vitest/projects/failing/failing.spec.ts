import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('an assertion', async ({ sandbox }) => {
  const init = { method: 'PATCH', headers: sandbox.headers, body: '{"quantity":-1}' }
  await fetch(`${sandbox.baseUrl}/inventory/1`, init)
  const response = await fetch(`${sandbox.baseUrl}/inventry`, { headers: sandbox.headers })
  expect(response.status).toBe(200)
})

test('a key that is missing', async ({ sandbox }) => {
  const response = await fetch(`${sandbox.baseUrl}/inventory`)
  expect(response.status).toBe(200)
})

test('a staging request', async ({ sandbox }) => {
  await fetch(`${sandbox.stagingBaseUrl}/store/orders`, { headers: sandbox.headers })
  throw new TypeError('thrown by the test')
})

test('a matcher', async ({ sandbox }) => {
  await sandbox.fetch('/inventory')
  expect(sandbox).toHaveReceived('listOrders')
})

test('a test that takes too long', { timeout: 500 }, async ({ sandbox }) => {
  await sandbox.fetch('/pets/1')
  await new Promise(() => {})
})

test.concurrent('the first of two concurrent tests', async ({ sandbox }) => {
  await sandbox.fetch('/inventory')
  expect.fail('first')
})

test.concurrent('the second of two concurrent tests', async ({ sandbox }) => {
  await sandbox.fetch('/store/orders')
  expect.fail('second')
})

test('a scenario that is unknown', async ({ sandbox }) => {
  // @ts-expect-error: the types do not know this name.
  await sandbox.use('low-stok')
})

test('a test that passes', async ({ sandbox }) => {
  await sandbox.fetch('/inventory/77', { method: 'PATCH' })
})

test('a client before a ban', async ({ sandbox }) => {
  await sandbox.use('rate-limited')
  for (let sent = 0; sent < 9; sent++) await sandbox.fetch('/inventory')
  throw new TypeError('thrown by the test')
})

test('a banned client', async ({ sandbox }) => {
  sandbox.world.clock.freeze('2026-01-15T09:00:00Z')
  sandbox.account.set({ ban: { seconds: 300 } })
  await sandbox.fetch('/inventory')
  throw new TypeError('thrown by the test')
})
