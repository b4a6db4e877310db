import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

const extended = test.extend('client', ({ sandbox }) => ({
  readInventory: () => fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers }),
}))

const sandboxes = new Set<unknown>()

test('uses the sandbox of the file', async ({ sandbox, sharedSandbox }) => {
  sandboxes.add(sharedSandbox)
  await fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

extended('uses the same sandbox, extended', async ({ sandbox, sharedSandbox, client }) => {
  sandboxes.add(sharedSandbox)
  expect((await client.readInventory()).status).toBe(200)
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

test('uses the same sandbox afterwards', ({ sharedSandbox }) => {
  expect(sandboxes).toEqual(new Set([sharedSandbox]))
})
