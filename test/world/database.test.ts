import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/service/errors.js'
import type { Change } from '../../src/service/operations/operation.js'
import type { Records } from '../../src/service/records.js'
import type { OrderState, PetState, RecordOf } from '../../src/service/schemas.js'
import { createDatabase, type Database } from '../../src/world/database/database.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'
import { addMessage, putPet, rejectChange, removePet, setQuantity } from '../support/changes.js'
import { createPet, createRecords } from '../support/records.js'
import { createWorld } from './scenario/support.js'

function createOrder(id: string): OrderState {
  const shipDate = '2026-01-01T00:00:00.000Z'
  return { id, petId: '1', quantity: 1, shipDate, status: 'placed', complete: false }
}

function createMessage(number: number): RecordOf<'messages'> {
  const createdAt = '2026-01-01T00:00:00.000Z'
  return { id: `msg-${number}`, message: `message ${number}`, status: 'queued', createdAt }
}

async function load(records: Partial<Records>): Promise<Database> {
  return createDatabase(await createRecords(records), rejectChange)
}

const toItemJson = ({ petId, quantity }: PetState) => `{"petId":${petId},"€":${quantity}}`

/** Expects the list of the pets as JSON, which is cached, to have these pets. */
function expectList(db: Database, pets: Iterable<PetState>): void {
  const { text, bytes, byteLength } = db.pets.toJson(toItemJson)
  expect(text).toBe(`[${Array.from(pets, toItemJson).join()}]`)
  expect(new TextDecoder().decode(bytes)).toBe(text)
  expect(byteLength).toBe(bytes.byteLength)
}

describe('database', () => {
  test('returns records with every field, in the order of the contract', async () => {
    const extra = { note: null, nested: { list: [1, { deep: true }] } }
    const pet = { ...createPet('1'), ...extra }
    const order = { ...createOrder('5'), ...extra }
    const db = await load({ pets: [pet], orders: [order] })
    expect(db.pets.find('1')).toEqual(pet)
    expect(db.orders.find('5')).toEqual(order)
    expect(Object.keys(db.pets.find('1') ?? {}).slice(0, 2)).toEqual(['petId', 'name'])
  })

  test('returns copies', async () => {
    const db = await load({ pets: [createPet('1')] })
    const pet = db.pets.find('1')
    pet?.tags.push('mine')
    expect(db.pets.find('1')?.tags).toEqual([])
  })

  test('returns undefined for unknown ids, and setQuantity throws', async () => {
    const db = await load({ pets: [createPet('1')] })
    for (const id of ['2', '', '01', 'constructor', '__proto__']) {
      expect([db.pets.find(id), db.orders.find(id)]).toEqual([undefined, undefined])
    }
    expect(() => setQuantity(db, '2', 1)).toThrow('no pet has the petId 2')
  })

  test('behaves as a plain Map for any writes in two worlds that share their records', async () => {
    const id = fc.integer({ min: -2, max: 5 }).map(String)
    const quantity = fc.nat(100)
    const world = fc.nat(1)
    const write = fc.oneof(
      fc.record({ type: fc.constant('put' as const), id, quantity, world }),
      fc.record({ type: fc.constant('remove' as const), id, world }),
      fc.record({ type: fc.constant('set' as const), id, quantity, world }),
      fc.record({ type: fc.constant('restart' as const), world }),
      fc.record({ type: fc.constant('capture' as const), world }),
    )
    const initial = ['1', '2', '4'].map((petId) => createPet(petId))
    const template = await createRecords({ pets: initial })
    const createModel = () => new Map(initial.map((pet) => [pet.petId, pet]))
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const worlds = [0, 1].map(() => ({
          db: createDatabase(template, rejectChange),
          model: createModel(),
        }))
        const captures: {
          readonly captured: Iterable<PetState>
          readonly pets: PetState[]
        }[] = []
        for (const change of writes) {
          const target = worlds[change.world]
          if (!target) continue
          const { db, model } = target
          if (change.type === 'restart') {
            db.restart(template)
            target.model = createModel()
          } else if (change.type === 'capture') {
            captures.push({ captured: db.pets.list(), pets: [...model.values()] })
            expectList(db, model.values())
          } else if (change.type === 'put') {
            putPet(db, createPet(change.id, change.quantity))
            model.set(change.id, createPet(change.id, change.quantity))
          } else if (change.type === 'remove') {
            removePet(db, change.id)
            model.delete(change.id)
          } else {
            const pet = model.get(change.id)
            if (!pet) continue
            setQuantity(db, change.id, change.quantity)
            model.set(change.id, { ...pet, quantity: change.quantity })
          }
        }
        for (const { db, model } of worlds) {
          expect(db.pets.list()).toEqual([...model.values()])
          expectList(db, model.values())
          expect(db.pets.count).toBe(model.size)
          expect(db.bytes >= 0).toBe(true)
          for (const petId of ['-2', '0', '1', '2', '5']) {
            expect(db.pets.find(petId)).toEqual(model.get(petId))
          }
          const copy = createDatabase(template, rejectChange)
          copy.load(db.save())
          expect(copy.pets.list()).toEqual([...model.values()])
          db.dropLists()
          expect(copy.bytes).toBe(db.bytes)
        }
        for (const { captured, pets } of captures) expect([...captured]).toEqual(pets)
        expectList(createDatabase(template, rejectChange), initial)
      }),
      { numRuns: 300 },
    )
  })
})

test('other requests run after every 1,000 records of a scenario that is loaded', async () => {
  const countTurns = async (count: number) => {
    let turns = 0
    const next = () => {
      turns += 1
      immediate = setImmediate(next)
    }
    let immediate = setImmediate(next)
    await createRecords({ pets: Array.from({ length: count }, (_, id) => createPet(`${id}`)) })
    clearImmediate(immediate)
    return turns
  }
  expect((await countTurns(3_500)) - (await countTurns(500))).toBe(3)
})

describe('db.pets.add', () => {
  test('rejects a pet beyond the limit of a world, and says what to do', async () => {
    const pets = Array.from({ length: 20_000 }, (_, petId) => ({ petId, name: 'Bella' }))
    const { db } = createWorld(await new ScenarioLibrary().prepare({ name: 'full', pets }))
    expect(() => db.pets.add({ petId: 20_000, name: 'Rex' })).toThrow(
      'a world of this sandbox has at most 20000 pets; remove some',
    )
    // A change of another replica is applied all the same. Only messages are evicted.
    putPet(db, createPet('20000'))
    expect(db.pets.count).toBe(20_001)
    db.pets.remove(0)
    db.pets.remove(20_000)
    expect(db.pets.add({ petId: 20_000, name: 'Rex' }).petId).toBe('20000')
  })

  test('names the pet if the value is none, and throws what the value throws', async () => {
    const { db } = createWorld(await new ScenarioLibrary().prepare({ name: 'mine' }))
    expect(() => db.pets.add(5 as never)).toThrow('the pet must be an object, found 5 (number)')
    const thrown = new RangeError('of a getter')
    const thrower = {
      get name() {
        throw thrown
      },
    }
    expect(() => db.pets.add({ petId: 1, name: 'Rex', thrower } as never)).toThrow(thrown)
  })
})

test('db.pets.change merges fields, removes an additional field that is null, and keeps the id', async () => {
  const pets = [{ petId: 1, name: 'Bella', note: 'x' }]
  const { db } = createWorld(await new ScenarioLibrary().prepare({ name: 'mine', pets }))
  const changed = { ...createPet('1', 5), name: 'Bella', category: 'dog', more: 2 }
  const fields = { petId: 1n, quantity: 5, category: 'dog', note: null, more: 2 }
  expect(db.pets.change('1', fields)).toEqual(changed)
  const message = 'petId cannot change: it must be 1, found 2'
  expect(() => db.pets.change('1', { petId: 2 })).toThrow(new Problem('invalid_field', message))
  expect(db.pets.list()).toEqual([changed])
})

describe('messages', () => {
  test('a world retains the newest 1,000, oldest first', async () => {
    const db = await load({
      messages: Array.from({ length: 1_500 }, (_, index) => createMessage(index)),
    })
    expect(db.messages.count).toBe(1_000)
    for (let number = 1_500; number <= 2_345; number++) {
      addMessage(db, createMessage(number))
      expect(db.messages.count).toBe(1_000)
    }
    const retained = db.messages.list()
    expect(retained).toHaveLength(1_000)
    expect(retained.at(0)?.message).toBe('message 1346')
    expect(retained.at(-1)?.message).toBe('message 2345')
  })

  test('a world retains at most 4 MiB', async () => {
    // 64 KiB with the id, the status, the time and the size of a row. 64 of them are 4 MiB.
    const rest = createMessage(100)
    const characters = 300 + rest.id.length + rest.status.length + rest.createdAt.length
    const toMessage = (number: number) => {
      const message = `${number} `.padEnd(65_536 - characters, 'x')
      return { ...rest, id: `msg-${String(number).padStart(3, '0')}`, message }
    }
    const db = await load({
      messages: Array.from({ length: 100 }, (_, number) => toMessage(number)),
    })
    expect(db.messages.list().at(-1)?.id).toBe('msg-099')
    for (let number = 100; number < 300; number++) {
      addMessage(db, toMessage(number))
      expect(db.messages.list().at(-1)?.id).toBe(`msg-${number}`)
      const texts = db.messages.list().map(({ message }) => message)
      expect(texts.join('').length).toBeLessThanOrEqual(4 * 1_048_576)
    }
    addMessage(db, toMessage(299))
    expect(db.messages.count).toBe(64)
    expect(db.bytes).toBeLessThan(4.1 * 1_048_576)
  })
})

describe('bytes', () => {
  const changes: readonly Change[] = [
    { type: 'quantity.set', petId: '1', from: 1, to: 5 },
    { type: 'quantity.set', petId: '1', from: 5, to: 6 },
    { type: 'record.put', kind: 'pets', record: { ...createPet('1'), note: 'x'.repeat(10_000) } },
    { type: 'record.put', kind: 'pets', record: { ...createPet('1'), note: '€'.repeat(10_000) } },
    { type: 'record.put', kind: 'pets', record: createPet('1') },
    { type: 'record.put', kind: 'pets', record: createPet('7') },
    { type: 'record.removed', kind: 'pets', id: '1' },
    { type: 'record.removed', kind: 'pets', id: '7' },
    { type: 'record.put', kind: 'orders', record: createOrder('3') },
    { type: 'record.removed', kind: 'orders', id: '3' },
    { type: 'message.queued', message: createMessage(1) },
  ]

  test('grows by at most costOf(change) with each change', async () => {
    const scenario = { name: 'mine', pets: [{ petId: 1, name: 'Bella' }] }
    const world = createWorld(await new ScenarioLibrary().prepare(scenario))
    for (const change of changes) {
      const before = world.db.bytes
      const cost = world.db.costOf(change)
      world.apply(change)
      expect(cost).toBeGreaterThanOrEqual(0)
      const growth = world.db.bytes - before
      expect(growth, change.type).toBeLessThanOrEqual(cost)
      if (change.type === 'record.put') expect(cost).toBe(Math.max(0, growth))
    }
  })

  test('includes the text of the rows that the world has put, and only these', async () => {
    const note = 'x'.repeat(100_000)
    const pet = { ...createPet('1'), note }
    const db = await load({ pets: [pet, { ...createPet('2'), note }] })
    expect(db.shared.pets.bytes).toBeGreaterThan(200_000)
    expect(db.bytes).toBe(0)
    setQuantity(db, '1', 5)
    expect(db.bytes).toBeGreaterThan(100_000)
    putPet(db, { ...pet, note: 'y'.repeat(50_000) })
    expect(db.bytes).toBeGreaterThan(50_000)
    expect(db.bytes).toBeLessThan(55_000)
    const { bytes } = db
    // V8 stores these characters in two bytes, and the 11 others of the JSON text as well.
    putPet(db, { ...pet, note: '€'.repeat(50_000) })
    expect(db.bytes - bytes).toBe(50_000 + '{"note":""}'.length)
    putPet(db, createPet('1'))
    // A row without additional fields has no text for them.
    expect(db.bytes).toBe(300 + 'Pet 1'.length + 'available'.length + 'dog'.length + '1'.length)
    removePet(db, '1')
    expect(db.bytes).toBeLessThan(5_000)
  })
})
