import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('retries at once after 429', async ({ sandbox }) => {
  await sandbox.use('rate-limited')
  expect((await sandbox.fetch('/inventory')).status).toBe(429)
  expect((await sandbox.fetch('/inventory')).status).toBe(429)
  // The report must also contain the requests before a restart.
  await sandbox.use('default')
  expect((await sandbox.fetch('/inventory')).status).toBe(200)
})

let attempts = 0

test('fails once', async ({ sandbox }) => {
  await sandbox.fetch('/pets/7')
  attempts += 1
  expect(attempts).toBe(2)
})
