import { factory, primaryKey } from '@mswjs/data'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Message, Order, Pet } from '../../src/contract/schemas.js'
import { Database, type Records } from '../../src/world/database.js'

function createPet(petId: string, quantity = 1): Pet {
  return {
    petId,
    name: `Pet ${petId}`,
    quantity,
    status: 'available',
    category: 'dog',
    photoUrls: [],
    tags: [],
  }
}

function createOrder(id: string): Order {
  const shipDate = '2026-01-01T00:00:00.000Z'
  return { id, petId: '1', quantity: 1, shipDate, status: 'placed', complete: false }
}

function createMessage(number: number): Message {
  const createdAt = '2026-01-01T00:00:00.000Z'
  return { id: `msg-${number}`, message: `message ${number}`, status: 'queued', createdAt }
}

function load(records: Partial<Records>): Database {
  const db = new Database()
  db.load({ pets: [], orders: [], messages: [], ...records })
  return db
}

describe('database', () => {
  test('keeps the order of loaded records and appends new ones', () => {
    const db = load({ pets: ['3', '1', '2'].map((id) => createPet(id)) })
    db.putPet(createPet('0'))
    db.putPet({ ...createPet('1'), name: 'Replaced' })
    expect(db.pets().map(({ petId }) => petId)).toEqual(['3', '1', '2', '0'])
    expect(db.findPet('1')?.name).toBe('Replaced')
    expect(Array.from(db.inventory(), ({ petId }) => petId)).toEqual(['3', '1', '2', '0'])
  })

  test.each(['0', '-1', '9223372036854775807', '-9223372036854775808'])(
    'accepts the id %s for pets and orders',
    (id) => {
      const db = load({ pets: [createPet(id, 3)], orders: [createOrder(id)] })
      db.setQuantity(id, 9)
      expect(db.findItem(id)?.quantity).toBe(9)
      expect(db.findOrder(id)?.id).toBe(id)
      db.removePet(id)
      db.removeOrder(id)
      expect([db.petCount, db.orderCount]).toEqual([0, 0])
    },
  )

  test('returns records with every field, in the order of the contract', () => {
    const extra = { note: null, nested: { list: [1, { deep: true }] } }
    const pet = { ...createPet('1'), ...extra }
    const order = { ...createOrder('5'), ...extra }
    const db = load({ pets: [pet], orders: [order] })
    expect(db.findPet('1')).toEqual(pet)
    expect(db.findOrder('5')).toEqual(order)
    expect(Object.keys(db.findPet('1') ?? {}).slice(0, 2)).toEqual(['petId', 'name'])
  })

  test('returns copies', () => {
    const db = load({ pets: [createPet('1')] })
    const pet = db.findPet('1')
    pet?.tags.push('mine')
    expect(db.findPet('1')?.tags).toEqual([])
  })

  test('returns undefined for unknown ids, and setQuantity throws', () => {
    const db = load({ pets: [createPet('1')] })
    for (const id of ['2', '', '01', 'constructor', '__proto__']) {
      expect([db.findPet(id), db.findItem(id), db.findOrder(id)]).toEqual(Array(3).fill(undefined))
    }
    expect(() => db.setQuantity('2', 1)).toThrow('no pet has the petId 2')
  })

  test('increments the revision of the kind of record that is written, and no other', () => {
    const db = load({ pets: [createPet('1')], orders: [createOrder('1')] })
    const [pets, orders] = [db.petsRevision, db.ordersRevision]
    db.setQuantity('1', 5)
    expect([db.petsRevision > pets, db.ordersRevision]).toEqual([true, orders])
    const after = db.petsRevision
    db.removeOrder('1')
    db.addMessage(createMessage(1))
    expect([db.petsRevision, db.ordersRevision > orders]).toEqual([after, true])
  })

  test('loading the same records again reverts every write', () => {
    const records = { pets: [createPet('1', 4), createPet('2')], orders: [], messages: [] }
    const db = new Database()
    db.load(records)
    const start = db.pets()
    const writes: (() => void)[] = [
      () => db.setQuantity('1', 9),
      () => db.putPet(createPet('1', 7)),
      () => db.removePet('2'),
      () => db.putPet(createPet('3')),
      () => db.putOrder(createOrder('1')),
      () => db.addMessage(createMessage(1)),
    ]
    for (const write of writes) {
      db.setQuantity('1', 50)
      write()
      db.load(records)
      expect([db.pets(), db.orderCount, db.messageCount]).toEqual([start, 0, 0])
    }
  })

  test('retains the newest 1,000 messages, oldest first', () => {
    const db = new Database()
    for (let number = 1; number <= 2_345; number++) {
      db.addMessage(createMessage(number))
      expect(db.messageCount).toBeLessThanOrEqual(1_000)
    }
    const retained = db.messages()
    expect(retained).toHaveLength(1_000)
    expect(retained.at(0)?.message).toBe('message 1346')
    expect(retained.at(-1)?.message).toBe('message 2345')
  })

  test('behaves as a plain Map for any sequence of writes', () => {
    const id = fc.integer({ min: -2, max: 5 }).map(String)
    const quantity = fc.nat(100)
    const write = fc.oneof(
      fc.record({ type: fc.constant('put' as const), id, quantity }),
      fc.record({ type: fc.constant('remove' as const), id }),
      fc.record({ type: fc.constant('set' as const), id, quantity }),
      fc.record({ type: fc.constant('load' as const) }),
    )
    const records = { pets: [createPet('1'), createPet('2')], orders: [], messages: [] }
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const db = new Database()
        db.load(records)
        let model = new Map(records.pets.map((pet) => [pet.petId, pet]))
        for (const change of writes) {
          if (change.type === 'load') {
            db.load(records)
            model = new Map(records.pets.map((pet) => [pet.petId, pet]))
          } else if (change.type === 'put') {
            db.putPet(createPet(change.id, change.quantity))
            model.set(change.id, createPet(change.id, change.quantity))
          } else if (change.type === 'remove') {
            db.removePet(change.id)
            model.delete(change.id)
          } else {
            const pet = model.get(change.id)
            if (!pet) continue
            db.setQuantity(change.id, change.quantity)
            model.set(change.id, { ...pet, quantity: change.quantity })
          }
        }
        expect(db.pets()).toEqual([...model.values()])
        for (const petId of ['-2', '0', '1', '2', '5']) {
          expect(db.findPet(petId)).toEqual(model.get(petId))
        }
      }),
    )
  })
})

describe('in a browser', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** Simulates a page with a BroadcastChannel that records each opened channel. */
  function simulatePage() {
    const opened: string[] = []
    class CountedChannel extends EventTarget {
      constructor(name: string) {
        super()
        opened.push(name)
      }
      postMessage() {}
    }
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('BroadcastChannel', CountedChannel)
    return { opened, CountedChannel }
  }

  test('the library opens a BroadcastChannel when it creates a database', () => {
    const { opened } = simulatePage()
    factory({ pet: { petId: primaryKey(String) } }).pet.create({ petId: '1' })
    expect(opened).toHaveLength(1)
  })

  test('Database opens no BroadcastChannel and restores the global', () => {
    const { opened, CountedChannel } = simulatePage()
    const db = load({
      pets: [createPet('1')],
      orders: [createOrder('1')],
      messages: [createMessage(1)],
    })
    db.setQuantity('1', 2)
    db.load({ pets: [createPet('2')], orders: [], messages: [] })
    db.addMessage(createMessage(2))
    expect(opened).toEqual([])
    expect(globalThis.BroadcastChannel).toBe(CountedChannel)
  })
})
