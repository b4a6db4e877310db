import { type TestSandbox, test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import { InvalidRequestError, NotFoundError } from '../src/errors.js'
import { Inventory } from '../src/inventory.js'
import { createClient } from './support.js'

/** An inventory that has loaded the stock, and the quantities of pet 1 that it has shown. */
async function loadInventory(sandbox: TestSandbox) {
  const shown: (number | undefined)[] = []
  const show = () => shown.push(inventory.items.find(({ petId }) => petId === 1n)?.quantity)
  const inventory = new Inventory(createClient(sandbox).client, show)
  await inventory.load()
  return { inventory, shown }
}

test('an inventory shows the stock after it is loaded', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  expect(inventory.items).toHaveLength(12)
  expect(shown).toEqual([4])
})

test('loading again replaces the stock', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  sandbox.world.db.pets.remove('2')
  await inventory.load()
  expect(inventory.items).toHaveLength(11)
  expect(shown).toEqual([4, 4])
})

test('a change appears before the service confirms it', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  const update = inventory.setQuantity(1n, 3)
  expect(shown).toEqual([4, 3])
  expect(sandbox).not.toHaveReceived('updateInventory')
  await update
  expect(shown).toEqual([4, 3, 3])
  expect(sandbox.world.db.pets.find('1')?.quantity).toBe(3)
  expect(inventory.items.find(({ petId }) => petId === 2n)?.quantity).toBe(6)
})

test('a rejected change is rolled back', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  await expect(inventory.setQuantity(1n, -1)).rejects.toThrow(InvalidRequestError)
  expect(shown).toEqual([4, -1, 4])
})

test('the rollback of a change keeps a later one', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  sandbox.world.faults.add({ type: 'status', status: 400, atMost: 1 })
  const first = inventory.setQuantity(1n, 3)
  const second = inventory.setQuantity(1n, 2)
  await expect(first).rejects.toThrow(InvalidRequestError)
  await second
  expect(shown).toEqual([4, 3, 2, 2, 2])
})

test('changes of one pet are sent one after the other', async ({ sandbox }) => {
  const { inventory } = await loadInventory(sandbox)
  sandbox.world.faults.add({ type: 'delay', delayMs: 30, atMost: 1 })
  await Promise.all([inventory.setQuantity(1n, 3), inventory.setQuantity(1n, 2)])
  const bodies = sandbox.world.requests.find('updateInventory').map((entry) => entry.requestBody)
  expect(bodies).toEqual(['{"quantity":3}', '{"quantity":2}'])
  expect(sandbox.world.db.pets.find('1')?.quantity).toBe(2)
})

test('a pet that no longer exists disappears', async ({ sandbox }) => {
  const { inventory, shown } = await loadInventory(sandbox)
  sandbox.world.db.pets.remove('1')
  await expect(inventory.setQuantity(1n, 3)).rejects.toThrow(NotFoundError)
  expect(shown).toEqual([4, 3, undefined])
  expect(inventory.items).toHaveLength(11)
})
