import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** The client under test: sells one of a pet. */
async function sellOne(baseUrl: string, petId: number, headers: Record<string, string>) {
  const response = await fetch(`${baseUrl}/inventory`, { headers })
  const inventory: { petId: number; quantity: number }[] = await response.json()
  const quantity = inventory.find((item) => item.petId === petId)?.quantity ?? 0
  await fetch(`${baseUrl}/inventory/${petId}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity: quantity - 1 }),
  })
}

// Both tests run at the same time and sell the same pet, of which there are four. Each has a key,
// and so a store, of its own: neither meets the other's sales, and there is nothing to reset.

test.concurrent('sells one', async ({ sandbox }) => {
  await sellOne(sandbox.baseUrl, 1, sandbox.headers)

  expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: 3 }, times: 1 })
  expect(sandbox.world.requests.count()).toBe(2)
})

test.concurrent('sells two', async ({ sandbox }) => {
  await sellOne(sandbox.baseUrl, 1, sandbox.headers)
  await sellOne(sandbox.baseUrl, 1, sandbox.headers)

  expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: 2 }, times: 1 })
  expect(sandbox.world.requests.count()).toBe(4)
})
