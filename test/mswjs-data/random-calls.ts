import fc from 'fast-check'

/** A reference to an entity in the argument of a call. */
export class Reference {
  constructor(
    readonly model: string,
    readonly id: string,
  ) {}
}

/** A call of a model, or of the database behind the models. */
export interface RandomCall {
  readonly model: 'owner' | 'pet'
  readonly operation: string
  /** May contain references and functions. */
  readonly argument: unknown
}

/** Most ids are valid, so that most calls of `create` succeed. */
const ids = fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '')
const texts = fc.constantFrom('', 'a', 'ab', 'abc', 'B')
const numbers = fc.constantFrom(-1, 0, 1, 2, 3)
const dates = fc.constantFrom(0, 1, 86_400_000, Number.NaN).map((time) => new Date(time))

/** Values of a property, and the comparators for it. */
interface Property {
  readonly values: fc.Arbitrary<unknown>
  readonly where: fc.Arbitrary<unknown>
}

const text = toProperty(texts, {
  equals: texts,
  notEquals: texts,
  contains: texts,
  notContains: texts,
  gt: texts,
  gte: texts,
  lt: texts,
  lte: texts,
  in: fc.array(texts),
  notIn: fc.array(texts),
})
const numeric = toProperty(numbers, {
  equals: numbers,
  notEquals: numbers,
  between: fc.tuple(numbers, numbers),
  notBetween: fc.tuple(numbers, numbers),
  gt: numbers,
  gte: numbers,
  lt: numbers,
  lte: numbers,
  in: fc.array(numbers),
  notIn: fc.array(numbers),
})
const flag = toProperty(fc.boolean(), { equals: fc.boolean(), notEquals: fc.boolean() })
const date = toProperty(dates, {
  equals: dates,
  notEquals: dates,
  gt: dates,
  gte: dates,
  lt: dates,
  lte: dates,
})
const id = toProperty(ids, { equals: ids, notEquals: ids, gte: ids, in: fc.array(ids) })
const owner = fc.oneof(
  { weight: 4, arbitrary: ids.map((id) => new Reference('owner', id)) },
  ids.map((id) => new Reference('pet', id)),
)
const ofOwner = toPartial({ id: id.where, name: text.where }, 2)

const properties = {
  owner: { id, name: text },
  pet: {
    id,
    name: text,
    quantity: numeric,
    isAvailable: flag,
    bornAt: date,
    note: { values: fc.option(texts), where: text.where },
    address: {
      values: toPartial({ city: texts, number: numbers }, 2),
      where: toPartial({ city: text.where, number: numeric.where }, 2),
    },
    tags: { values: fc.array(texts), where: text.where },
    owner: { values: owner, where: ofOwner },
    buyer: { values: owner, where: ofOwner },
    visitors: { values: fc.array(owner, { maxLength: 2 }), where: ofOwner },
    unknown: { values: texts, where: text.where },
  },
} satisfies Record<string, Record<string, Property>>

/** Functions for the data of an update. */
const changes = fc.constantFrom<(value: unknown, entity: object) => unknown>(
  (value) => value,
  (value, entity) => `${value} of ${Reflect.get(entity, 'id')}`,
)

/** Random calls. Each property may be missing, and some are invalid. */
export const randomCalls: fc.Arbitrary<RandomCall[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: createCall('owner') },
    { weight: 3, arbitrary: createCall('pet') },
  ),
  { minLength: 1, maxLength: 30, size: 'max' },
)

function createCall(model: 'owner' | 'pet'): fc.Arbitrary<RandomCall> {
  const ofModel: Record<string, Property> = properties[model]
  // The library accepts null only for some properties.
  const orNull = mapValues(ofModel, ({ values }) => fc.option(values, { freq: 9 }))
  const orChange = mapValues(orNull, (values) => fc.oneof(values, changes))
  const compared = mapValues(ofModel, (property) => property.where)

  const row = fc.tuple(ids, toPartial(orNull, 4)).map(([id, others]) => ({ id, ...others }))
  const where = toPartial(compared, 2)
  const data = toPartial(orChange, 3)
  const strict = fc.boolean()
  const query = fc.record({ where, strict })
  const update = fc.record({ where, strict, data })
  const page = fc.record(
    { where, strict, take: numbers, skip: numbers, cursor: ids, orderBy: toOrder(ofModel) },
    { requiredKeys: ['where'] },
  )

  const toCall = (operation: string) => (argument: unknown) => ({ model, operation, argument })
  return fc.oneof(
    { weight: 5, arbitrary: row.map(toCall('create')) },
    query.map(toCall('findFirst')),
    page.map(toCall('findMany')),
    update.map(toCall('update')),
    update.map(toCall('updateMany')),
    query.map(toCall('delete')),
    query.map(toCall('deleteMany')),
    fc.option(query, { nil: undefined }).map(toCall('count')),
    fc.constant(undefined).map(toCall('getAll')),
    row.map(toCall('database.create')),
    row.map(toCall('database.update')),
    ids.map(toCall('database.delete')),
  )
}

/** Zero to two properties to sort by. */
function toOrder(ofModel: Record<string, Property>): fc.Arbitrary<object[]> {
  const name = fc.constantFrom(...Object.keys(ofModel))
  const direction = fc.constantFrom('asc', 'desc')
  const order = fc.tuple(name, direction).map(([name, direction]) => ({ [name]: direction }))
  return fc.array(order, { maxLength: 2 })
}

/** A property, of which one in ten comparisons is unknown to the library. */
function toProperty(
  values: fc.Arbitrary<unknown>,
  comparators: Record<string, fc.Arbitrary<unknown>>,
): Property {
  const known = Object.entries(comparators).map(([name, arbitrary]) =>
    arbitrary.map((expected) => ({ [name]: expected })),
  )
  const unknown = fc.constant({ startsWith: 'a' })
  return { values, where: fc.oneof({ weight: 9, arbitrary: fc.oneof(...known) }, unknown) }
}

/** Objects with at most `maxLength` of the properties, in any order. */
function toPartial(
  arbitraries: Record<string, fc.Arbitrary<unknown>>,
  maxLength: number,
): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(arbitraries).map(([name, values]) =>
    values.map((value): [string, unknown] => [name, value]),
  )
  return fc
    .array(fc.oneof(...entries), { maxLength, size: 'max' })
    .map((chosen) => Object.fromEntries(chosen))
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
