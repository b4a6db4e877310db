import * as bundle from '@mswjs/data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInternalDatabase, type InternalDatabase, type Library, original } from './libraries.js'
import { type RandomCall, Reference, randomCalls } from './random-calls.js'

test('random calls have the same results, errors, events and records in the bundle and in the original', () => {
  fc.assert(
    fc.property(randomCalls, (calls) => {
      expect(run(bundle, calls)).toEqual(run(original, calls))
    }),
    { numRuns: 150 },
  )
})

test('the random calls find a library that differs in one detail', () => {
  const different: Library = {
    ...original,
    // Accepts an empty primary key.
    primaryKey: (getter) => original.primaryKey((() => getter() || 'generated') as typeof getter),
  }
  const { failed } = fc.check(
    fc.property(randomCalls, (calls) => {
      expect(run(different, calls)).toEqual(run(original, calls))
    }),
    { seed: 0 },
  )
  expect(failed).toBe(true)
})

test('the random calls reach each operation, and each error that their models can cause', () => {
  const outcomes = fc.sample(randomCalls, { seed: 0, numRuns: 800 }).flatMap((calls) => {
    const { outcomes } = run(original, calls)
    return outcomes.map((outcome, at) =>
      'threw' in outcome ? outcome.threw.message : `${calls[at]?.operation} returned`,
    )
  })
  const missing = expectedOutcomes.filter((text) => !outcomes.some((found) => found.includes(text)))
  expect(missing).toEqual([])
})

const expectedOutcomes = [
  'create returned',
  'findFirst returned',
  'findMany returned',
  'update returned',
  'updateMany returned',
  'delete returned',
  'deleteMany returned',
  'count returned',
  'getAll returned',
  'database.create returned',
  'database.update returned',
  'database.delete returned',
  'provided entity has no type',
  'expected the primary key "id" to have a value',
  'an entity with the same primary key',
  'cannot be instantiated with null',
  'cannot set a non-nullable relationship to null',
  'expected a referenced entity to be "owner" but got {"id"',
  'expected a referenced entity to be "owner" but got "pet"',
  'does not exist',
  'belongs to another "pet"',
  'no entity found matching the query',
  'no entities found matching the query',
  'no comparator found for the chunk "startsWith"',
  'the entity with a primary key',
  'cannot set a non-nullable property to null',
  'cannot update a non-nullable relationship to null',
  'expected the next value to be an entity but got {"id"',
  'expected the next value to reference a "owner" but got "pet"',
  'expected the next value to be an array of entities',
]

type Outcome =
  | { readonly returned: unknown }
  | { readonly threw: { name: string; type: unknown; message: string } }

/** Makes the calls. Returns their outcomes, the events of the database, and its records at the end. */
function run(library: Library, calls: readonly RandomCall[]) {
  const models = createModels(library)
  for (const id of ['1', '2', '3', '4']) models.owner.create({ id, name: `Owner ${id}` })
  const database = findInternalDatabase(models)
  const events: unknown[] = []
  for (const name of ['create', 'update', 'delete']) {
    // The first value is the id of the database, which depends on the path of the library.
    database.events.on(name, (_id, ...values) => events.push([name, toPlain(values)]))
  }
  /** All entities that have existed. */
  const entities = new Map<string, unknown>()
  const outcomes = calls.map(({ model, operation, argument }) => {
    for (const owner of models.owner.getAll()) entities.set(`owner ${owner.id}`, owner)
    for (const pet of models.pet.getAll()) entities.set(`pet ${pet.id}`, pet)
    const resolved = resolve(argument, entities)
    const target = operation.startsWith('database.')
      ? toDatabaseCalls(database, model)
      : // The arguments need not have the types of the library.
        (models[model] as unknown as Record<string, Call>)
    return toOutcome(() => target[operation]?.(resolved))
  })
  const records = ['owner', 'pet'].map((name) => toOutcome(() => database.getModel(name)))
  return { outcomes, events, records }
}

type Call = (argument: unknown) => unknown

function createModels({ factory, manyOf, nullable, oneOf, primaryKey }: Library) {
  return factory({
    owner: { id: primaryKey(String), name: String },
    pet: {
      id: primaryKey(String),
      name: String,
      quantity: Number,
      isAvailable: Boolean,
      bornAt: () => new Date(0),
      note: nullable<string>(() => null),
      address: { city: String, number: () => 1 },
      tags: Array,
      owner: oneOf('owner'),
      buyer: nullable(oneOf('owner', { unique: true })),
      visitors: manyOf('owner'),
    },
  })
}

/** The calls of the internal database. As in `Rows`, a row is completed with the symbols of another. */
function toDatabaseCalls(database: InternalDatabase, model: string): Record<string, Call> {
  const last = [...database.getModel(model).values()].at(-1)
  return {
    'database.create': (row) => database.create(model, Object.assign({ ...last }, row)),
    'database.update': (row) =>
      last && database.update(model, last, Object.assign({ ...last }, row)),
    'database.delete': (id) => database.delete(model, String(id)),
  }
}

function toOutcome(call: () => unknown): Outcome {
  try {
    return { returned: toPlain(call()) }
  } catch (error) {
    const { name, message } = error as Error
    return { threw: { name, type: Reflect.get(error as Error, 'type'), message } }
  }
}

/** Replaces references with the entities, also with deleted ones. */
function resolve(value: unknown, entities: ReadonlyMap<string, unknown>): unknown {
  if (value instanceof Reference) {
    return entities.get(`${value.model} ${value.id}`) ?? { id: value.id }
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, entities))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).map(([name, item]) => [name, resolve(item, entities)])
  return Object.fromEntries(entries)
}

/** Converts a value of the library to arrays that also compare the order and symbols of properties. */
function toPlain(value: unknown): unknown {
  if (value instanceof Map) return Array.from(value, toPlain)
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Reflect.ownKeys(value).map((key) => [String(key), toPlain(Reflect.get(value, key))])
}
