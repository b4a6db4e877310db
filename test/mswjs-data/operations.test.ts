// The behaviours that the library itself tests, in test/model/{create,getAll,update,delete,deleteMany,
// count}.test.ts and test/primaryKey.test.ts of https://github.com/mswjs/data.
import { describe, expect, test } from 'vitest'
import { findInternalDatabase, type Library, libraries } from './libraries.js'

describe.each(libraries)('$name', ({ library }) => {
  describe('create', () => testCreate(library))
  describe('getAll', () => testGetAll(library))
  describe('count', () => testCount(library))
  describe('update', () => testUpdate(library))
  describe('delete', () => testDelete(library))
  describe('deleteMany', () => testDeleteMany(library))
  describe('the database behind the models', () => testInternalDatabase(library))
})

/** Creates a getter that returns another id with each call. */
function createIds(): () => string {
  let last = 0
  return () => `id-${++last}`
}

/** Pets with the quantities 1, 5, 5 and 9. */
function createPets({ factory, primaryKey }: Library) {
  const { pet } = factory({
    pet: { id: primaryKey(createIds()), name: String, quantity: Number },
  })
  pet.create({ name: 'Rex', quantity: 1 })
  pet.create({ name: 'Mia', quantity: 5 })
  pet.create({ name: 'Tom', quantity: 5 })
  pet.create({ name: 'Kim', quantity: 9 })
  const names = () => pet.getAll().map(({ name }) => name)
  return { pet, names }
}

function testCreate({ factory, identity, manyOf, nullable, oneOf, primaryKey }: Library) {
  test('takes the primary key from its getter if none is given', () => {
    const { pet } = factory({ pet: { id: primaryKey(identity('generated')) } })
    expect(pet.create().id).toBe('generated')
  })

  test('takes the primary key that is given', () => {
    const { pet } = factory({ pet: { id: primaryKey(createIds()) } })
    expect(pet.create({ id: 'given' }).id).toBe('given')
  })

  test('accepts a primary key whose name contains a dot', () => {
    const { pet } = factory({ pet: { 'chip.number': primaryKey(createIds()) } })
    expect(pet.create({ 'chip.number': '42' })['chip.number']).toBe('42')
  })

  test.each([
    { what: 'an object', type: Object, given: { minimum: 1 }, initial: {} },
    { what: 'an array of numbers', type: Array, given: [1, 2, 3], initial: [] },
    { what: 'an array of objects', type: Array, given: [{ key: 1 }, { key: 2 }], initial: [] },
    { what: 'a string', type: String, given: 'text', initial: '' },
    { what: 'a number', type: Number, given: 3, initial: 0 },
    { what: 'a boolean', type: Boolean, given: true, initial: false },
    { what: 'a date', type: () => new Date(0), given: new Date(1), initial: new Date(0) },
  ])('sets a property that is $what to the given or to the initial value', (row) => {
    const { pet } = factory({ pet: { id: primaryKey(createIds()), extra: row.type } })
    expect(pet.create({ extra: row.given }).extra).toEqual(row.given)
    expect(pet.create().extra).toEqual(row.initial)
  })

  test('sets nullable properties to null, also in nested objects', () => {
    const { pet } = factory({
      pet: {
        id: primaryKey(createIds()),
        name: nullable(() => 'Rex'),
        age: nullable<number>(() => null),
        address: { street: String, number: nullable<number>(() => null) },
      },
    })
    const created = pet.create({ name: null })
    expect(created).toMatchObject({ name: null, age: null, address: { street: '', number: null } })
    expect(pet.create().name).toBe('Rex')
  })

  test.each([
    { options: { defaultsToNull: true }, given: undefined, address: null },
    { options: { defaultsToNull: false }, given: undefined, address: { street: '' } },
    { options: { defaultsToNull: false }, given: null, address: null },
    { options: { defaultsToNull: true }, given: { street: 'Main' }, address: { street: 'Main' } },
  ])('sets a nullable object with $options to $address', ({ options, given, address }) => {
    const { pet } = factory({
      pet: { id: primaryKey(createIds()), address: nullable({ street: String }, options) },
    })
    expect(pet.create(given === undefined ? {} : { address: given }).address).toEqual(address)
  })

  test('completes nested objects with the values of their getters', () => {
    const { pet } = factory({
      pet: {
        id: primaryKey(createIds()),
        owner: { name: String, address: { street: () => 'Main', number: () => 1 }, tags: Array },
        visits: { rooms: () => [1, 2], notes: () => [] },
      },
    })
    const owner = { name: 'Ada', address: { number: 73 }, tags: ['vip'] }
    const created = pet.create({ owner })
    expect(created.owner).toEqual({ ...owner, address: { street: 'Main', number: 73 } })
    expect(created.visits).toEqual({ rooms: [1, 2], notes: [] })
  })

  test('accepts a relation in a nested object', () => {
    const db = factory({
      clinic: { id: primaryKey(createIds()), name: String },
      pet: { id: primaryKey(createIds()), care: { clinic: oneOf('clinic'), since: Number } },
    })
    const clinic = db.clinic.create({ name: 'North' })
    const { care } = db.pet.create({ care: { clinic, since: 2020 } })
    expect(care).toMatchObject({ clinic: { name: 'North' }, since: 2020 })
  })

  test('throws for null as a property that is not nullable', () => {
    const { pet } = factory({ pet: { id: primaryKey(createIds()), name: String } })
    // @ts-expect-error The types reject it, too.
    expect(() => pet.create({ name: null })).toThrow(
      'Failed to create a "pet" entity: a non-nullable property "name" cannot be instantiated with null. Use the "nullable" function when defining this property to support nullable value.',
    )
  })

  test('throws for null as a relation that is not nullable', () => {
    const db = factory({
      clinic: { id: primaryKey(createIds()), pets: manyOf('pet') },
      pet: { id: primaryKey(createIds()) },
    })
    // @ts-expect-error The types reject it, too.
    expect(() => db.clinic.create({ id: 'north', pets: null })).toThrow(
      'Failed to define a "MANY_OF" relationship to "pet" at "clinic.pets" (id: "north"): cannot set a non-nullable relationship to null.',
    )
  })

  test('throws for a primary key that another entity has, or that is empty', () => {
    const { pet } = factory({ pet: { id: primaryKey(String) } })
    pet.create({ id: '1' })
    expect(() => pet.create({ id: '1' })).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'DuplicatePrimaryKey',
        message:
          'Failed to create a "pet" entity: an entity with the same primary key "1" ("id") already exists.',
      }),
    )
    expect(() => pet.create()).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'MissingPrimaryKey',
        message:
          'Failed to create a "pet" entity: expected the primary key "id" to have a value, but got: ',
      }),
    )
    expect(pet.count()).toBe(1)
  })
}

function testGetAll(library: Library) {
  test('returns all entities in the order of their creation', () => {
    expect(createPets(library).names()).toEqual(['Rex', 'Mia', 'Tom', 'Kim'])
  })

  test('returns an empty array if there are no entities', () => {
    const { factory, primaryKey } = library
    expect(factory({ pet: { id: primaryKey(String) } }).pet.getAll()).toEqual([])
  })
}

function testCount(library: Library) {
  test('counts the entities of one model', () => {
    const { factory, primaryKey } = library
    const id = primaryKey(createIds())
    const db = factory({ pet: { id }, clinic: { id } })
    for (let created = 0; created < 12; created++) db.pet.create()
    expect([db.pet.count(), db.clinic.count()]).toEqual([12, 0])
  })

  test.each([
    { quantity: { gte: 5 }, count: 3 },
    { quantity: { gte: 10 }, count: 0 },
  ])('returns $count for $quantity', ({ quantity, count }) => {
    expect(createPets(library).pet.count({ where: { quantity } })).toBe(count)
  })
}

function testUpdate(library: Library) {
  testUpdateOfValues(library)
  testUpdateOfRelations(library)

  test('updates only the first entity that matches', () => {
    const { pet, names } = createPets(library)
    const updated = pet.update({ where: { quantity: { gte: 5 } }, data: { name: 'Ben' } })
    expect(updated).toMatchObject({ name: 'Ben', quantity: 5 })
    expect(names()).toEqual(['Rex', 'Ben', 'Tom', 'Kim'])
    expect(pet.findFirst({ where: { name: { equals: 'Ben' } } })).toEqual(updated)
  })

  test('finds the entity by its primary key', () => {
    const { pet, names } = createPets(library)
    pet.update({ where: { id: { equals: 'id-3' } }, data: { name: 'Ben' } })
    expect(names()).toEqual(['Rex', 'Mia', 'Ben', 'Kim'])
  })

  test('returns null and changes nothing if no entity matches', () => {
    const { pet, names } = createPets(library)
    const updated = pet.update({ where: { id: { equals: 'none' } }, data: { name: 'Ben' } })
    expect(updated).toBeNull()
    expect(names()).toEqual(['Rex', 'Mia', 'Tom', 'Kim'])
  })

  test('throws in strict mode if no entity matches', () => {
    const { pet } = createPets(library)
    const where = { id: { equals: 'none' } }
    expect(() => pet.update({ where, data: { name: 'Ben' }, strict: true })).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'EntityNotFound',
        message:
          'Failed to execute "update" on the "pet" model: no entity found matching the query "{"id":{"equals":"none"}}".',
      }),
    )
  })

  test('moves the entity if it updates the primary key', () => {
    const { pet, names } = createPets(library)
    const where = { id: { equals: 'id-2' } }
    expect(pet.update({ where, data: { id: 'moved' } })).toMatchObject({ id: 'moved', name: 'Mia' })
    expect(pet.findFirst({ where })).toBeNull()
    expect(pet.findFirst({ where: { id: { equals: 'moved' } } })?.name).toBe('Mia')
    expect(names()).toEqual(['Rex', 'Tom', 'Kim', 'Mia'])
  })

  test('throws for a primary key that another entity has', () => {
    const { pet, names } = createPets(library)
    const where = { id: { equals: 'id-2' } }
    expect(() => pet.update({ where, data: { id: 'id-1', name: 'Ben' } })).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'DuplicatePrimaryKey',
        message:
          'Failed to execute "update" on the "pet" model: the entity with a primary key "id-1" ("id") already exists.',
      }),
    )
    expect(names()).toEqual(['Rex', 'Mia', 'Tom', 'Kim'])
  })
}

function testUpdateOfValues({ factory, nullable, primaryKey, ENTITY_TYPE, PRIMARY_KEY }: Library) {
  const where = { id: { equals: '1' } }
  const internal = { [ENTITY_TYPE]: 'pet', [PRIMARY_KEY]: 'id' }

  test('updates a property that had no value', () => {
    const { pet } = factory({ pet: { id: primaryKey(String), name: String } })
    pet.create({ id: '1' })
    const expected = { ...internal, id: '1', name: 'Rex' }
    expect(pet.update({ where, data: { name: 'Rex' } })).toEqual(expected)
    expect(pet.findFirst({ where })).toEqual(expected)
  })

  test('updates properties of the entity and of nested objects, and keeps their other properties', () => {
    const address = { billing: { street: String, country: String }, shipping: { country: String } }
    const { pet } = factory({ pet: { id: primaryKey(String), name: String, address } })
    const billing = { street: 'Main', country: 'us' }
    pet.create({ id: '1', name: 'Rex', address: { billing, shipping: { country: 'de' } } })
    const updated = pet.update({
      where,
      data: { name: 'Mia', address: { billing: { country: 'de' } } },
    })
    expect(updated).toEqual({
      ...internal,
      id: '1',
      name: 'Mia',
      address: { billing: { street: 'Main', country: 'de' }, shipping: { country: 'de' } },
    })
    const byCountry = { address: { billing: { country: { equals: 'de' } } } }
    expect(pet.findFirst({ where: byCountry })).toEqual(updated)
  })

  test('calls functions with the previous value and the whole entity', () => {
    const { pet } = factory({
      pet: { id: primaryKey(String), name: String, role: String, address: { country: String } },
    })
    pet.create({ id: '1', name: 'Rex', role: 'guard', address: { country: 'us' } })
    const updated = pet.update({
      where,
      data: {
        name: (name) => name.toUpperCase(),
        role: (role, { name }) => `${role} of ${name}`,
        address: { country: (country, { id }) => `${country}-${id}` },
      },
    })
    const expected = { name: 'REX', role: 'guard of Rex', address: { country: 'us-1' } }
    expect(updated).toMatchObject(expected)
  })

  test.each([
    { from: null, to: 'Rex' },
    { from: 'Rex', to: null },
  ])('updates a nullable property from $from to $to', ({ from, to }) => {
    const { pet } = factory({ pet: { id: primaryKey(String), name: nullable(() => 'Mia') } })
    pet.create({ id: '1', name: from })
    expect(pet.update({ where, data: { name: to } })?.name).toBe(to)
  })

  test('throws for null as a property that is not nullable', () => {
    const { pet } = factory({ pet: { id: primaryKey(String), name: () => 'Rex' } })
    pet.create({ id: '1' })
    // @ts-expect-error The types reject it, too.
    expect(() => pet.update({ where, data: { name: null } })).toThrow(
      'Failed to update "name" on "pet": cannot set a non-nullable property to null.',
    )
  })
}

function testUpdateOfRelations({ factory, oneOf, primaryKey, ...symbols }: Library) {
  const { ENTITY_TYPE, PRIMARY_KEY } = symbols
  const where = { id: { equals: '1' } }

  /** A pet that belongs to the clinic `north`. */
  function createPet() {
    const db = factory({
      pet: { id: primaryKey(String), name: String, clinic: oneOf('clinic') },
      clinic: { id: primaryKey(String), isOpen: Boolean },
    })
    db.pet.create({ id: '1', name: 'Rex', clinic: db.clinic.create({ id: 'north' }) })
    return db
  }

  test('updates a property and a relation', () => {
    const { pet, clinic } = createPet()
    const next = clinic.create({ id: 'south', isOpen: true })
    const updated = pet.update({ where, data: { name: 'Mia', clinic: next } })
    expect(updated).toEqual({
      [ENTITY_TYPE]: 'pet',
      [PRIMARY_KEY]: 'id',
      id: '1',
      name: 'Mia',
      clinic: { [ENTITY_TYPE]: 'clinic', [PRIMARY_KEY]: 'id', id: 'south', isOpen: true },
    })
  })

  test('shows an update of a related entity', () => {
    const { pet, clinic } = createPet()
    clinic.update({ where: { id: { equals: 'north' } }, data: { isOpen: true } })
    expect(pet.findFirst({ where })?.clinic?.isOpen).toBe(true)
  })

  test('throws for a plain object as a relation', () => {
    const { pet } = createPet()
    const clinic = { id: 'north', isOpen: true }
    expect(() => pet.update({ where, data: { clinic } })).toThrow(
      'Failed to update a "ONE_OF" relationship to "clinic" at "pet.clinic" (id: "1"): expected the next value to be an entity but got {"id":"north","isOpen":true}.',
    )
  })
}

function testDelete(library: Library) {
  test.each([
    { where: { id: { equals: 'id-3' } }, deleted: 'Tom', rest: ['Rex', 'Mia', 'Kim'] },
    { where: { quantity: { gt: 1 } }, deleted: 'Mia', rest: ['Rex', 'Tom', 'Kim'] },
  ])('deletes and returns the first entity that matches $where', ({ where, deleted, rest }) => {
    const { pet, names } = createPets(library)
    expect(pet.delete({ where })?.name).toBe(deleted)
    expect(names()).toEqual(rest)
    expect(pet.findFirst({ where: { name: { equals: deleted } } })).toBeNull()
  })

  test('returns null and deletes nothing if no entity matches', () => {
    const { pet, names } = createPets(library)
    expect(pet.delete({ where: { id: { equals: 'none' } } })).toBeNull()
    expect(names()).toEqual(['Rex', 'Mia', 'Tom', 'Kim'])
  })

  test('throws in strict mode if no entity matches', () => {
    const { pet } = createPets(library)
    expect(() => pet.delete({ where: { id: { equals: 'none' } }, strict: true })).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'EntityNotFound',
        message:
          'Failed to execute "delete" on the "pet" model: no entity found matching the query "{"id":{"equals":"none"}}".',
      }),
    )
  })
}

function testDeleteMany(library: Library) {
  test('deletes and returns all entities that match', () => {
    const { pet, names } = createPets(library)
    const where = { quantity: { between: [2, 6] as [number, number] } }
    expect(pet.deleteMany({ where })?.map(({ name }) => name)).toEqual(['Mia', 'Tom'])
    expect(pet.findMany({ where })).toEqual([])
    expect(names()).toEqual(['Rex', 'Kim'])
  })

  test('returns null and deletes nothing if no entity matches', () => {
    const { pet, names } = createPets(library)
    expect(pet.deleteMany({ where: { quantity: { gte: 10 } } })).toBeNull()
    expect(names()).toEqual(['Rex', 'Mia', 'Tom', 'Kim'])
  })

  test('throws in strict mode if no entity matches', () => {
    const { pet } = createPets(library)
    const where = { id: { in: ['none', 'nobody'] } }
    expect(() => pet.deleteMany({ where, strict: true })).toThrow(
      expect.objectContaining({
        name: 'OperationError',
        type: 'EntityNotFound',
        message:
          'Failed to execute "deleteMany" on the "pet" model: no entities found matching the query "{"id":{"in":["none","nobody"]}}".',
      }),
    )
  })
}

function testInternalDatabase({ factory, primaryKey }: Library) {
  test('creates, replaces and deletes entities that the models then return', () => {
    const models = factory({ pet: { id: primaryKey(String), name: String } })
    const database = findInternalDatabase(models)
    const rex = models.pet.create({ id: '1', name: 'Rex' })
    database.create('pet', { ...rex, id: '2', name: 'Mia' })
    database.update('pet', rex, { ...rex, name: 'Ben' })
    expect(models.pet.getAll().map(({ name }) => name)).toEqual(['Ben', 'Mia'])
    database.delete('pet', '1')
    expect([...database.getModel('pet').keys()]).toEqual(['2'])
  })

  test('throws for an entity without the symbols that the models add', () => {
    const database = findInternalDatabase(factory({ pet: { id: primaryKey(String) } }))
    expect(() => database.create('pet', { id: '1' })).toThrow(
      'Failed to create a new "pet" record: provided entity has no type. {"id":"1"}',
    )
  })
}
