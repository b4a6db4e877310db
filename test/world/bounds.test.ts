import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { Problem } from '../../src/service/errors.js'

test('changePet and changeOrder reject a record that would have more than 20,000 values', async () => {
  const { world } = await createSandbox()
  const values = Array.from({ length: 12_000 }, (_, index) => index)
  world.db.pets.change('1', { one: values } as object)
  world.db.orders.change('1001', { one: values } as object)
  const before = [world.db.pets.list(), world.db.orders.list()]
  const createReason = (path: string) =>
    new Problem('invalid_field', `the ${path} must be at most 20000 values, found more`)
  const two = { two: values } as object
  expect(() => world.db.pets.change('1', two)).toThrow(createReason('pet: pets[0]'))
  expect(() => world.db.orders.change('1001', two)).toThrow(createReason('order: orders[0]'))
  expect([world.db.pets.list(), world.db.orders.list()]).toEqual(before)
})

test('the journal of a world occupies at most a quarter of it, and its facts another one', async () => {
  const maxWorldMemory = 1_048_576
  const sandbox = await createSandbox({ maxWorldMemory, journalCapacity: 10_000 })
  const headers = { Authorization: 'Bearer sbx_enterprise' }
  for (let sent = 0; sent < 1_000; sent += 1) {
    await sandbox.fetch('https://api.petstore.example/v1/inventory', { headers })
  }
  const { journal } = await sandbox.worldFor('sbx_enterprise')
  const { bytes } = journal.facts
  expect(journal.size).toBeLessThan(1_000)
  expect(journal.bytes - bytes).toBeGreaterThan(maxWorldMemory / 5)
  expect(journal.bytes - bytes).toBeLessThanOrEqual(maxWorldMemory / 4)
  expect(bytes).toBeGreaterThan(maxWorldMemory / 5)
  expect(bytes).toBeLessThanOrEqual(maxWorldMemory / 4)
})
