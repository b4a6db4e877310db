import { factory, primaryKey } from '@mswjs/data'
import type { JsonText } from '../../service/json-text.js'
import { idOf, recordKinds } from '../../service/records.js'
import { type KindName, type RecordOf, recordModels } from '../../service/schemas.js'
import { passTurn } from '../../service/timers.js'

/**
 * Matches a string whose characters V8 stores in two bytes each; otherwise it needs one. V8 does not
 * search for it in strings of one byte: the opposite, `^[\0-\xff]*$`, took a fifth of a request.
 */
export const twoByte = /[^\0-\xff]/

/** Estimates the heap that the characters of a string occupy, in bytes. */
export function textBytes(text: string): number {
  return twoByte.test(text) ? text.length * 2 : text.length
}

/** A record in @mswjs/data: its documented fields, and the additional ones as one JSON string. */
export type Row<Kind extends KindName> = RecordOf<Kind> & { readonly additional: string }

/** The fields of a kind. A row has no others. */
function fieldsOf(kind: KindName): readonly string[] {
  return Object.keys(recordModels[kind].schema.shape)
}

export function toRow<Kind extends KindName>(kind: Kind, record: RecordOf<Kind>): Row<Kind> {
  const fields = recordModels[kind].schema.shape
  const known: Record<string, unknown> = {}
  const additional: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (Object.hasOwn(fields, name)) known[name] = value
    else additional[name] = value
  }
  const hasMore = Object.keys(additional).length > 0
  return { ...known, additional: hasMore ? JSON.stringify(additional) : '' } as Row<Kind> // from its record
}

/** Returns a record, which is a copy. */
export function toRecord<Kind extends KindName>(kind: Kind, row: Row<Kind>): RecordOf<Kind> {
  const record: Record<string, unknown> = {}
  for (const name of fieldsOf(kind)) {
    const value: unknown = row[name as keyof Row<Kind>] // a field of the kind
    record[name] = Array.isArray(value) ? [...value] : value
  }
  return { ...record, ...(row.additional && JSON.parse(row.additional)) }
}

/** Heap of a row without the characters of its strings, and of its entries in two maps, in bytes. */
const rowBytes = 300

/** Estimates the heap of a row, in bytes. */
export function sizeOfRow(row: object | undefined): number {
  if (!row) return 0
  let bytes = rowBytes
  for (const value of Object.values(row).flat()) {
    if (typeof value === 'string') bytes += textBytes(value)
  }
  return bytes
}

/** The methods of a model of @mswjs/data that this file uses. */
interface Model<Row> {
  create(row: Row): Row
  getAll(): Row[]
  deleteMany(query: { where: Record<string, { in: string[] }> }): unknown
}

/** Number of deleted rows that the library may still have. */
const maximumDeleted = 100

/**
 * Rows of one kind in @mswjs/data, in insertion order. No other code uses the library. Its queries
 * examine every entity (1.8 ms at 5,000), so that a map has the entities by id, and the library deletes
 * many at once.
 */
export class Rows<Kind extends KindName> {
  /** Estimated heap of the rows, in bytes. */
  bytes = 0
  /** The records as JSON, until they change. Created on first use. */
  json: JsonText | undefined
  readonly #entities = new Map<string, Row<Kind>>()
  /** Created with the first row, because it occupies 2 KB. */
  #model: Model<Row<Kind>> | undefined
  /** Ids of the deleted rows that the library still has. */
  readonly #deleted = new Set<string>()

  constructor(readonly kind: Kind) {}

  get count(): number {
    return this.#entities.size
  }

  find(id: string): Row<Kind> | undefined {
    return this.#entities.get(id)
  }

  /** Returns the ids in insertion order. */
  ids(): IterableIterator<string> {
    return this.#entities.keys()
  }

  list(): readonly Row<Kind>[] {
    this.#purge()
    return this.#model?.getAll() ?? []
  }

  /** Appends a row, or replaces the row with the same id at its position. */
  put(id: string, row: Row<Kind>): void {
    const entity = this.#entities.get(id)
    this.bytes += sizeOfRow(row) - sizeOfRow(entity)
    if (entity) {
      Object.assign(entity, row)
      return
    }
    if (this.#deleted.has(id)) this.#purge()
    this.#model ??= createModel(this.kind, row)
    this.#entities.set(id, this.#model.create(row))
  }

  delete(id: string): void {
    const entity = this.#entities.get(id)
    if (!entity) return
    this.bytes -= sizeOfRow(entity)
    this.#entities.delete(id)
    this.#deleted.add(id)
    // The library still has it, but not its values.
    for (const name of Object.keys(entity)) {
      if (name !== recordKinds[this.kind].id) Reflect.set(entity, name, undefined)
    }
    if (this.#deleted.size > maximumDeleted) this.#purge()
  }

  /** Removes the deleted rows from the library. */
  #purge(): void {
    if (this.#deleted.size === 0) return
    const where = { [recordKinds[this.kind].id]: { in: [...this.#deleted] } }
    this.#model?.deleteMany({ where })
    this.#deleted.clear()
  }
}

/** Creates a model with the fields of a row, each with the type of its value: `String`. */
function createModel<Kind extends KindName>(kind: Kind, row: Row<Kind>): Model<Row<Kind>> {
  const types = Object.entries(row).map(([name, value]) => [name, Object(value).constructor])
  const models = factory({
    [kind]: { ...Object.fromEntries(types), [recordKinds[kind].id]: primaryKey(String) },
  })
  return models[kind] as unknown as Model<Row<Kind>> // the types of computed names are lost
}

/** Number of records that are loaded without a pause: 10 ms (measured). */
const pauseRecords = 1_000

/**
 * Loads the records of a scenario, which its worlds share; of messages, the newest that a world
 * retains. The rows never change. Lets other requests run while it loads many.
 */
export async function loadRows<Kind extends KindName>(
  kind: Kind,
  records: readonly RecordOf<Kind>[],
): Promise<Rows<Kind>> {
  const rows = new Rows(kind)
  for (const [index, record] of selectNewest(kind, records).entries()) {
    if (index > 0 && index % pauseRecords === 0) await passTurn()
    const id = idOf(kind, record)
    rows.put(id, toRow(kind, record))
    Object.freeze(rows.find(id))
  }
  return rows
}

/** Returns the records that a world retains: of messages, the newest, oldest first. */
function selectNewest<Kind extends KindName>(
  kind: Kind,
  records: readonly RecordOf<Kind>[],
): readonly RecordOf<Kind>[] {
  const { maximum, newestBytes } = recordModels[kind]
  if (newestBytes === undefined) return records
  let bytes = 0
  const lastDropped = records.findLastIndex((record, index) => {
    bytes += sizeOfRow(toRow(kind, record))
    return bytes > newestBytes || index < records.length - maximum
  })
  return records.slice(lastDropped + 1)
}
