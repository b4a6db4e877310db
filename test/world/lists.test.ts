import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OrderState, PetState } from '../../src/service/schemas.js'
import {
  createDatabase,
  type Database,
  type SharedRecords,
} from '../../src/world/database/database.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'
import {
  putOrder,
  putPet,
  rejectChange,
  removeOrder,
  removePet,
  setQuantity,
} from '../support/changes.js'
import { createPet, createRecords } from '../support/records.js'
import { createRoom, createWorld } from './scenario/support.js'

const toItemJson = ({ petId, quantity }: PetState) => `{"petId":${petId},"n":${quantity}}`
const toOrderJson = (order: OrderState) => JSON.stringify(order)

function createOrder(id: number, quantity: number): OrderState {
  const shipDate = '2026-01-01T00:00:00.000Z'
  const note = 'für dich €'.repeat(quantity % 5)
  return { id: String(id), petId: '1', quantity, shipDate, status: 'placed', complete: false, note }
}

function createShared(count: number): Promise<SharedRecords> {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const pets = numbers.map((number) => createPet(String(number), number))
  const orders = numbers.map((number) => createOrder(number, 1))
  return createRecords({ pets, orders })
}

/** Returns the lists of a database, each as a string and in UTF-8. */
function readLists(db: Database): string[][] {
  return [db.pets.toJson(toItemJson), db.orders.toJson(toOrderJson)].map((list) => [
    list.text,
    new TextDecoder().decode(list.bytes),
    `${list.byteLength}`,
  ])
}

/** Serializes the records of a database again. */
function rebuildLists(db: Database): string[][] {
  const inventory = `[${Array.from(db.pets.list(), toItemJson).join(',')}]`
  const orders = `[${db.orders
    .list()
    .map((order) => JSON.stringify(order))
    .join(',')}]`
  return [inventory, orders].map((text) => [text, text, `${Buffer.byteLength(text)}`])
}

/** One write to a database, or reading its lists. */
const steps = fc.record({
  world: fc.integer({ min: 0, max: 1 }),
  action: fc.constantFrom('set', 'put', 'put', 'remove', 'remove', 'read', 'restart'),
  first: fc.integer({ min: 0, max: 450 }),
  /** Number of neighbours that are also written. */
  count: fc.constantFrom(1, 1, 1, 3, 70, 150),
  quantity: fc.integer({ min: -5, max: 2_000 }),
})

function write(db: Database, action: string, number: number, quantity: number): void {
  const id = String(number)
  if (action === 'set' && db.pets.find(id)) setQuantity(db, id, quantity)
  if (action === 'put') {
    putPet(db, createPet(id, quantity))
    putOrder(db, createOrder(number, Math.abs(quantity)))
  }
  if (action === 'remove') {
    removePet(db, id)
    removeOrder(db, id)
  }
}

describe('lists', () => {
  test('equal the serialized records after any sequence of writes, in each world', async () => {
    const run = fc.asyncProperty(
      fc.constantFrom(0, 1, 64, 65, 400),
      fc.array(steps, { maxLength: 30 }),
      async (size, sequence) => {
        const template = await createShared(size)
        const databases = [
          createDatabase(template, rejectChange),
          createDatabase(template, rejectChange),
        ]
        const start = rebuildLists(createDatabase(template, rejectChange))
        for (const { world, action, first, count, quantity } of sequence) {
          const db = databases[world] ?? createDatabase(template, rejectChange)
          if (action === 'restart') db.restart(template)
          for (let number = first; number < first + count; number++) {
            write(db, action, number, quantity)
          }
          if (action === 'read') expect(readLists(db)).toEqual(rebuildLists(db))
        }
        for (const db of databases) expect(readLists(db)).toEqual(rebuildLists(db))
        expect(readLists(createDatabase(template, rejectChange))).toEqual(start)
      },
    )
    await fc.assert(run, { numRuns: 200 })
  })

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

  test('of records that are appended and removed again and again stay small', async () => {
    const db = createDatabase(await createShared(100), rejectChange)
    for (let number = 100; number < 30_000; number++) {
      putPet(db, createPet(String(number), number))
      if (number >= 200 && number % 150 !== 0) removePet(db, String(number - 100))
      if (number % 1_000 === 0) db.pets.toJson(toItemJson)
    }
    db.pets.toJson(toItemJson)
    expect(db.pets.count).toBeLessThan(500)
    expect(db.bytes).toBeLessThan(250_000)
    expect(readLists(db)).toEqual(rebuildLists(db))
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
  })
})
