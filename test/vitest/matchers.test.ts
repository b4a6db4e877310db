import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.js'
import { messageOf, setQuantity } from './requests.js'

describe('toHaveReceived', () => {
  test('passes if the number of matching requests is as expected', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    await setQuantity(sandbox, 6, 2)
    await setQuantity(sandbox, 'seven')
    expect(sandbox).toHaveReceived('updateInventory')
    expect(sandbox.world).toHaveReceived('updateInventory', { times: 3 })
    expect(sandbox).toHaveReceived('updateInventory', { times: 2, status: 200 })
    expect(sandbox).toHaveReceived('updateInventory', { times: 1, body: { quantity: 6 } })
    expect(sandbox).toHaveReceived('updateInventory', { path: '/inventory/2' })
    expect(sandbox).toHaveReceived('updateInventory', { code: 'invalid_field' })
    expect(sandbox).toHaveReceived({ status: 400 }, { times: 1 })
    expect(sandbox).toHaveReceived('updateInventory', {
      body: { quantity: expect.any(Number) },
      times: 2,
    })
    expect(sandbox).toHaveReceived('listInventory', { times: 0 })
    expect(sandbox).not.toHaveReceived('listInventory')
    expect(sandbox).not.toHaveReceived('updateInventory', { times: 2 })
    expect(sandbox).not.toHaveReceived('updateInventory', { body: { quantity: 7 } })
  })

  test('shows a similar request even if many others follow', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    for (let sent = 0; sent < 12; sent += 1) await sandbox.fetch('/inventory')
    const expected = { body: { quantity: 6 } }
    const message = messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))
    expect(message).toContain('(13):\n  (3 more not shown)\n  #1 PATCH /inventory/1')
  })
})

describe('toHaveReceivedNothingUnmatched', () => {
  test('passes if every request matched an operation', async ({ sandbox }) => {
    expect(sandbox).toHaveReceivedNothingUnmatched()
    await sandbox.fetch('/inventory')
    expect(sandbox).toHaveReceivedNothingUnmatched()
  })
})
