import { expect as vitestExpect } from 'vitest'
import { expect } from '../../src/playwright.js'
import { test } from '../../src/vitest.js'
import { messageOf } from './requests.js'

test('the expect of petstore-sandbox/playwright has the same matchers', async ({ sandbox }) => {
  await sandbox.fetch('/inventory')
  await sandbox.fetch('/store/orders')
  expect(sandbox).toHaveReceived('listInventory', {
    times: 1,
    method: expect.stringContaining('GET'),
  })
  expect(sandbox.world).not.toHaveReceived('getPet')
  expect(sandbox).toHaveReceivedInOrder(['listInventory', { path: '/store/orders' }])
  expect(sandbox).toHaveReceivedNothingUnmatched()
  expect([1]).toHaveLength(1)
  vitestExpect(messageOf(() => expect(sandbox).not.toHaveReceived('listOrders'))).toContain(
    'expected the world not to receive listOrders, but it did.\n\n  #2 GET /store/orders',
  )
  const misspelled = 'listInventry' as 'listInventory' // as from JavaScript
  vitestExpect(messageOf(() => expect(sandbox).not.toHaveReceived(misspelled))).toContain(
    'did you mean "listInventory"?',
  )
})
