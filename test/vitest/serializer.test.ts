import { expect } from 'vitest'
import { test } from '../../src/vitest.js'
import { setQuantity } from './requests.js'

test('a snapshot of journal entries has no ids, times, keys and random values', async ({
  sandbox,
}) => {
  await sandbox.fetch('/inventory?since=2026-01-02T03:04:05.678Z')
  await setQuantity(sandbox, -1)
  const message = { to: 'a@example.com', message: crypto.randomUUID() }
  await sandbox.fetch('/inventry', { method: 'POST', body: JSON.stringify(message) })
  sandbox.world.faults.add({ type: 'reset' })
  await sandbox.fetch('/store/orders').catch(() => {})
  expect(sandbox.world.requests.find()).toMatchInlineSnapshot(`
    [
      GET /inventory?since=<time> → 200, listInventory,
      PATCH /inventory/1 → 400 invalid_field, updateInventory
        {"quantity":-1},
      POST /inventry → 404 route_not_found, no operation
        {"to":"a@example.com","message":"<uuid>"},
      GET /store/orders → connection closed, listOrders,
    ]
  `)
  expect({ last: sandbox.world.requests.find('listOrders').at(-1) }).toMatchInlineSnapshot(`
    {
      "last": GET /store/orders → connection closed, listOrders,
    }
  `)
})
