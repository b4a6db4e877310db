import { describe, expect, test } from 'vitest'
import { type AnyWorld, handleKinds } from './support.js'

const largest = 9223372036854775807n

/** Every method that takes an id, by its name. */
const methods: Readonly<Record<string, (world: AnyWorld, id: string) => unknown>> = {
  'db.findPet': async (world, id) => (await world.db.pets.find(id))?.petId,
  'db.findOrder': async (world, id) => (await world.db.orders.find(id))?.id,
  changePet: async (world, id) => (await world.db.pets.change(id, { quantity: 3 })).petId,
  changeOrder: async (world, id) => (await world.db.orders.change(id, { quantity: 3 })).id,
  removePet: async (world, id) => (await world.db.pets.remove(id)).petId,
  removeOrder: async (world, id) => (await world.db.orders.remove(id)).id,
}

describe.each(handleKinds)('a world by $name takes an id', ({ open }) => {
  test.each(Object.keys(methods))('%s', async (name) => {
    const { world } = await open()
    const call = methods[name] ?? expect.unreachable()
    for (const id of [7, 7n, '7', largest, String(largest)]) {
      await world.use(['default', { name: 'empty', pets: [], orders: [] }])
      await world.db.pets.add({ petId: id, name: 'Rex', quantity: 1, status: 'available' })
      await world.db.orders.add({ id, petId: id, quantity: 1 })
      expect(await call(world, id as string)).toBe(String(id))
    }
  })

  test.each(Object.keys(methods))('%s rejects another value', async (name) => {
    const { world } = await open()
    const call = methods[name] ?? expect.unreachable()
    for (const id of [1.5, Number.NaN, 2 ** 53, null, undefined, {}]) {
      const error: unknown = await Promise.resolve()
        .then(() => call(world, id as string))
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toMatch(
        /^TypeError: (?:petId|id) must be a string, a safe integer or a bigint, found /,
      )
    }
  })
})
