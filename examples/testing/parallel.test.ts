import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** The client under test: sells one pet. */
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

// Both tests run concurrently and sell the same pet, of which there are four in stock. Each test has
// its own key and therefore its own world. Neither sees the sales of the other.

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
