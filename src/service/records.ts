import { listEntries, messageBytes, messagesPerWorld } from './bounds.js'
import { type ErrorCode, Problem } from './errors.js'
import { type Int64Input, toInt64Json } from './int64.js'
import type { KindName, KnownFields, RecordOf } from './schemas.js'

/** A kind of record of a world. */
interface RecordKind<Fields> {
  /** Name of one record in messages, without and with its article. */
  readonly noun: string
  readonly article: string
  /** Field with the id. */
  readonly id: keyof Fields
  /** Fields that are int64s; `id` among them, unless ids are other strings. */
  readonly int64s: readonly (keyof Fields)[]
  /** The documented fields with their types, in the order of the schema. */
  readonly fields: { readonly [Name in keyof Fields]-?: TypeOf<Fields[Name]> }
  /** Maximum number of records in a world, and in a list of a scenario. */
  readonly maximum: number
  /** Maximum size of all records of a world, in bytes. If given, the oldest are evicted (A23). */
  readonly newestBytes?: number
  /** The error for an unknown id. Given if clients can add, change and remove records. */
  readonly notFound?: ErrorCode
}

type TypeOf<Value> = Value extends string
  ? StringConstructor
  : Value extends number
    ? NumberConstructor
    : Value extends boolean
      ? BooleanConstructor
      : ArrayConstructor

/**
 * The kinds of records by the name of their list. The data of a world, scenarios, snapshots, what is
 * stored, the control API and remote worlds are derived from this table and from `recordSchemas`.
 */
export const recordKinds = {
  pets: {
    noun: 'pet',
    article: 'a pet',
    id: 'petId',
    int64s: ['petId'],
    fields: {
      petId: String,
      name: String,
      quantity: Number,
      status: String,
      category: String,
      photoUrls: Array,
      tags: Array,
    },
    maximum: listEntries,
    notFound: 'pet_not_found',
  },
  orders: {
    noun: 'order',
    article: 'an order',
    id: 'id',
    int64s: ['id', 'petId'],
    fields: {
      id: String,
      petId: String,
      quantity: Number,
      shipDate: String,
      status: String,
      complete: Boolean,
    },
    maximum: listEntries,
    notFound: 'resource_not_found',
  },
  messages: {
    noun: 'message',
    article: 'a message',
    id: 'id',
    int64s: [],
    fields: { id: String, message: String, status: String, createdAt: String },
    maximum: messagesPerWorld,
    newestBytes: messageBytes,
  },
} as const satisfies { readonly [Kind in KindName]: RecordKind<KnownFields<RecordOf<Kind>>> }

/** The names of the kinds. */
export const kindNames = Object.keys(recordKinds) as KindName[] // the keys of a const table

/** Name of a kind whose records clients can add, change and remove. */
export type WritableKind = {
  [Kind in KindName]: (typeof recordKinds)[Kind] extends { readonly notFound: ErrorCode }
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

/** Returns the maximum size of all records of a kind, in bytes; undefined if there is none. */
export function newestBytesOf(kind: KindName): number | undefined {
  const definition = recordKinds[kind]
  return 'newestBytes' in definition ? definition.newestBytes : undefined
}

/** Returns the id of a record. */
export function idOf<Kind extends KindName>(kind: Kind, record: RecordOf<Kind>): string {
  return String(Reflect.get(record, recordKinds[kind].id))
}

/** A record as JSON states it: an int64 is a number, or beyond ±(2^53−1) a string of digits. */
export type JsonRecord<Kind extends KindName> = {
  [Name in keyof RecordOf<Kind>]: Name extends (typeof recordKinds)[Kind]['int64s'][number]
    ? number | string
    : RecordOf<Kind>[Name]
}

/** Returns a record as a scenario and the control API state it. */
export function toJsonRecord<Kind extends KindName>(
  kind: Kind,
  record: RecordOf<Kind>,
): JsonRecord<Kind> {
  return mapInt64s(kind, record, (id) => toInt64Json(String(id))) as JsonRecord<Kind> // by the table
}

/** Returns a record that a scenario or the control API states, without other changes. */
export function fromJsonRecord<Kind extends KindName>(kind: Kind, record: object): RecordOf<Kind> {
  return mapInt64s(kind, record, String) as RecordOf<Kind> // the record is valid
}

function mapInt64s(kind: KindName, record: object, map: (id: unknown) => unknown): object {
  const names: readonly string[] = recordKinds[kind].int64s
  return {
    ...record,
    ...Object.fromEntries(names.map((name) => [name, map(Reflect.get(record, name))])),
  }
}

/** Creates the problem for an id that no record of the world has. */
export function createNotFoundProblem(kind: WritableKind, id: Int64Input): Problem {
  const { noun, id: field, notFound } = recordKinds[kind]
  return new Problem(notFound, `no ${noun} has the ${field} ${id} in this world`)
}
