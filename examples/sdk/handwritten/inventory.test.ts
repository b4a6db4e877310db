import { expect } from 'vitest'
import { InvalidRequestError, NotFoundError } from '../src/errors.js'
import { Inventory } from '../src/inventory.js'
import { createClient, error, type FakeService, test } from './support.js'

/** An inventory that has loaded the stock, and the quantities of pet 1 that it has shown. */
async function loadInventory(service: FakeService) {
  const shown: (number | undefined)[] = []
  const show = () => shown.push(inventory.items.find(({ petId }) => petId === 1n)?.quantity)
  const inventory = new Inventory(createClient(service).client, show)
  await inventory.load()
  return { inventory, shown }
}

test('an inventory shows the stock after it is loaded', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  expect(inventory.items).toHaveLength(3)
  expect(shown).toEqual([4])
})

test('loading again replaces the stock', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  service.pets.delete('2')
  await inventory.load()
  expect(inventory.items).toHaveLength(2)
  expect(shown).toEqual([4, 4])
})

test('a change appears before the service confirms it', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  const update = inventory.setQuantity(1n, 3)
  expect(shown).toEqual([4, 3])
  expect(service.find('PATCH', '/v1/inventory/1')).toEqual([])
  await update
  expect(shown).toEqual([4, 3, 3])
  expect(service.pets.get('1')?.quantity).toBe(3)
  expect(inventory.items.find(({ petId }) => petId === 2n)?.quantity).toBe(6)
})

test('a rejected change is rolled back', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  await expect(inventory.setQuantity(1n, -1)).rejects.toThrow(InvalidRequestError)
  expect(shown).toEqual([4, -1, 4])
})

test('the rollback of a change keeps a later one', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  service.fail(() => error(400, 'invalid_field'), 1)
  const first = inventory.setQuantity(1n, 3)
  const second = inventory.setQuantity(1n, 2)
  await expect(first).rejects.toThrow(InvalidRequestError)
  await second
  expect(shown).toEqual([4, 3, 2, 2, 2])
})

test('changes of one pet are sent one after the other', async ({ service }) => {
  const { inventory } = await loadInventory(service)
  service.delayMs = 30
  await Promise.all([inventory.setQuantity(1n, 3), inventory.setQuantity(1n, 2)])
  const bodies = service.find('PATCH', '/v1/inventory/1').map(({ body }) => body)
  expect(bodies).toEqual([{ quantity: 3 }, { quantity: 2 }])
  expect(service.pets.get('1')?.quantity).toBe(2)
})

test('a pet that no longer exists disappears', async ({ service }) => {
  const { inventory, shown } = await loadInventory(service)
  service.pets.delete('1')
  await expect(inventory.setQuantity(1n, 3)).rejects.toThrow(NotFoundError)
  expect(shown).toEqual([4, 3, undefined])
  expect(inventory.items).toHaveLength(2)
})
