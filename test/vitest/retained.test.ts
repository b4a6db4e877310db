import { expect } from 'vitest'
import { test } from '../../src/vitest.js'

test.override({ plan: 'enterprise' })

test('the fixture retains what a test sends, so that the matchers count it', async ({
  sharedSandbox,
  sandbox,
}) => {
  expect(sharedSandbox.core.settings.journalCapacity).toBe(10_000)
  // More than a journal of 500 entries, or of 4 MiB, retains.
  for (let sent = 0; sent < 3_000; sent += 1) await sandbox.fetch('/inventory')
  expect(sandbox).toHaveReceived('listInventory', { times: 3_000 })
  expect(sandbox).not.toHaveReceived('listOrders')
})
