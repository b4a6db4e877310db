import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('sets the stock of a pet', async ({ sandbox }) => {
  const { baseUrl, headers } = sandbox
  await fetch(`${baseUrl}/inventory?page=2`, { headers: { ...headers, 'X-Trace': 't-1' } })
  await fetch(`${baseUrl}/inventory/1`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity: 5 }),
  })

  // #region queries
  expect(sandbox).toHaveReceived('updateInventory', {
    times: 1,
    status: 200,
    body: { quantity: 5 },
  })
  expect(sandbox).toHaveReceived('listInventory', {
    atMost: 2,
    path: expect.stringMatching(/^\/inv/),
  })
  expect(sandbox).toHaveReceivedInOrder([
    'listInventory',
    { operation: 'updateInventory', status: 200 },
  ])
  expect(sandbox).not.toHaveReceived('sendMessage')
  expect(sandbox).toHaveReceivedNothingUnmatched()

  const { requests } = sandbox.world
  await requests.waitFor('updateInventory', { atLeast: 1, timeoutMs: 500 })
  expect(requests.count('listOrders')).toBe(0)
  expect(requests.count({ operation: 'listInventory', status: 429 })).toBe(0)
  expect(requests.find({ headers: { 'x-trace': 't-1' }, query: { page: '2' } })).toHaveLength(1)
  expect(requests.count({ unmatched: true })).toBe(0)
  expect(requests.pending()).toEqual([])
  expect(requests.find('updateInventory')[0]?.request.json).toEqual({ quantity: 5 })
  // #endregion

  // #region snapshot
  expect(requests.find()).toMatchInlineSnapshot(`
    [
      GET /inventory?page=2 → 200, listInventory,
      PATCH /inventory/1 → 200, updateInventory
        {"quantity":5},
    ]
  `)
  // #endregion
})
