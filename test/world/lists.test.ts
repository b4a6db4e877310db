import { describe, expect, test } from 'vitest'
import type { PetState } from '../../src/service/schemas.js'
import { createDatabase, type SharedRecords } from '../../src/world/database/database.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'
import { putPet, rejectChange, removePet, setQuantity } from '../support/changes.js'
import { createPet, createRecords } from '../support/records.js'
import { createRoom, createWorld } from './scenario/support.js'

const toItemJson = ({ petId, quantity }: PetState) => `{"petId":${petId},"n":${quantity}}`

function createShared(count: number): Promise<SharedRecords> {
  const pets = Array.from({ length: count }, (_, index) => createPet(String(index), index))
  return createRecords({ pets })
}

describe('lists', () => {
  test('are serialized again after a write, and shared until then', async () => {
    const template = await createShared(10_000)
    const [db, other] = [
      createDatabase(template, rejectChange),
      createDatabase(template, rejectChange),
    ]
    let serialized = 0
    const count = (item: PetState) => {
      serialized += 1
      return toItemJson(item)
    }
    const shared = db.pets.toJson(count)
    expect(serialized).toBe(10_000)
    expect(other.pets.toJson(count)).toBe(shared)
    setQuantity(db, '5000', 1)
    const changed = db.pets.toJson(count)
    expect(changed.text).not.toBe(shared.text)
    expect(db.pets.toJson(count)).toBe(changed)
    expect(serialized).toBe(20_000)
    expect(other.pets.toJson(count)).toBe(shared)
  })

  test('of a world have the remaining records after many were added and removed', async () => {
    const db = createDatabase(await createShared(100), rejectChange)
    for (let number = 100; number < 3_000; number++) {
      putPet(db, createPet(String(number)))
      removePet(db, String(number - 100))
    }
    expect(db.pets.ids()).toEqual(Array.from({ length: 100 }, (_, index) => `${2_900 + index}`))
    expect(db.bytes).toBeLessThan(50_000)
  })
})

describe('listInventory of a world', () => {
  async function createWorldOf(count: number, limit = 16_777_216) {
    const pets = Array.from({ length: count }, (_, index) => ({ petId: index, name: 'Bella' }))
    const seed = await new ScenarioLibrary().prepare({ name: 'mine', pets })
    return createWorld(seed, createRoom(limit))
  }

  test.each([10, 10_000])('adds the cached list of %i pets to the size', async (count) => {
    const world = await createWorldOf(count)
    const empty = world.size
    const shared = world.db.pets.toJson(toItemJson)
    expect(world.size).toBe(empty)
    world.apply({ type: 'quantity.set', petId: '1', from: 0, to: 5 })
    const changed = world.size
    const own = world.db.pets.toJson(toItemJson)
    expect(world.size - changed).toBeGreaterThanOrEqual(own.byteLength)
    world.apply({ type: 'record.removed', kind: 'pets', id: '2' })
    expect(world.size - changed).toBeLessThan(5_000)
    world.start(world.seed)
    expect(world.size).toBe(empty)
    expect(world.db.pets.toJson(toItemJson)).toBe(shared)
  })

  test('does not leave its cache in place of a change that has no room otherwise', async () => {
    const world = await createWorldOf(1_000, 40_000)
    const change = (to: number) => world.apply({ type: 'quantity.set', petId: '1', from: 0, to })
    change(5)
    const { size } = world
    const list = world.db.pets.toJson(toItemJson)
    expect(world.size).toBeGreaterThan(40_000)
    world.apply({ type: 'quantity.set', petId: '2', from: 0, to: 5 })
    expect(world.size).toBeLessThan(size + 1_000)
    expect(world.db.pets.toJson(toItemJson).text).not.toBe(list.text)
    const record = { ...createPet('3'), note: 'x'.repeat(40_000) }
    expect(() => world.apply({ type: 'record.put', kind: 'pets', record })).toThrow(
      'at its limit of 40000 bytes of one world',
    )
  })
})
