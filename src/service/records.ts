import { Problem } from './errors.js'
import { type Int64Input, toInt64Json } from './int64.js'
import type { KindName, KnownFields, RecordOf } from './schemas.js'

/** A kind of record of a world. */
interface RecordKind<Fields> {
  /** Name of one record in messages. */
  readonly noun: string
  /** Field with the id. */
  readonly id: keyof Fields
  /** The int64 fields, including `id` unless ids are other strings. */
  readonly int64s: readonly (keyof Fields)[]
  /** The error for an unknown id. Given if clients can add, change and remove records. */
  readonly notFound?: 'pet_not_found' | 'resource_not_found'
}

/**
 * The kinds of records by the name of their list. The data of a world, scenarios, snapshots, stored
 * worlds, the control API and remote worlds are derived from this table and from `recordModels`.
 */
export const recordKinds = {
  pets: {
    noun: 'pet',
    id: 'petId',
    int64s: ['petId'],
    notFound: 'pet_not_found',
  },
  orders: {
    noun: 'order',
    id: 'id',
    int64s: ['id', 'petId'],
    notFound: 'resource_not_found',
  },
  messages: {
    noun: 'message',
    id: 'id',
    int64s: [],
  },
} as const satisfies { readonly [Kind in KindName]: RecordKind<KnownFields<RecordOf<Kind>>> }

/** The names of the kinds. */
export const kindNames = Object.keys(recordKinds) as KindName[] // the keys of a const table

/** Name of a kind whose records clients can add, change and remove. */
export type WritableKind = {
  [Kind in KindName]: (typeof recordKinds)[Kind] extends { readonly notFound: string }
    ? Kind
    : never
}[KindName]

/** Records of each kind. */
export type Records = { readonly [Kind in KindName]: readonly RecordOf<Kind>[] }

/** Creates an object with one value for each kind. Its type is not checked against `create`. */
export function mapKinds<Values extends { readonly [Kind in KindName]?: unknown }>(
  create: <Kind extends KindName>(kind: Kind) => unknown,
): Values {
  return Object.fromEntries(kindNames.map((kind) => [kind, create(kind)])) as Values // one for each kind
}

/** Returns the id of a record. */
export function idOf<Kind extends KindName>(kind: Kind, record: RecordOf<Kind>): string {
  return String(Reflect.get(record, recordKinds[kind].id))
}

/** A record in JSON: an int64 is a number, or beyond ±(2^53−1) a string of digits. */
export type JsonRecord<Kind extends KindName> = {
  [Name in keyof RecordOf<Kind>]: Name extends (typeof recordKinds)[Kind]['int64s'][number]
    ? number | string
    : RecordOf<Kind>[Name]
}

/** Returns a record in the form of scenarios and of the control API. */
export function toJsonRecord<Kind extends KindName>(
  kind: Kind,
  record: RecordOf<Kind>,
): JsonRecord<Kind> {
  return mapInt64s(kind, record, (id) => toInt64Json(String(id))) as JsonRecord<Kind> // by the table
}

/** Returns a record with canonical int64s from the form of scenarios and of the control API. */
export function fromJsonRecord<Kind extends KindName>(kind: Kind, record: object): RecordOf<Kind> {
  return mapInt64s(kind, record, String) as RecordOf<Kind> // the record is valid
}

function mapInt64s(kind: KindName, record: object, map: (id: unknown) => unknown): object {
  const copy: Record<string, unknown> = { ...record }
  for (const name of recordKinds[kind].int64s) copy[name] = map(copy[name])
  return copy
}

/** Creates the problem for an id that no record of the world has. */
export function createNotFoundProblem(kind: WritableKind, id: Int64Input): Problem {
  const { noun, id: field, notFound } = recordKinds[kind]
  return new Problem(notFound, `no ${noun} has the ${field} ${id} in this world`)
}

/** Returns a noun with its article. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
