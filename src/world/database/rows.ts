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
export const rowBytes = 300

/** Estimates the heap of a row, in bytes. Strings that another row has at the same place are shared. */
export function sizeOfRow<Kind extends KindName>(
  kind: Kind,
  row: Row<Kind> | undefined,
  other?: Row<Kind>,
): number {
  if (!row) return 0
  let bytes = rowBytes
  for (const name of [...fieldsOf(kind), 'additional'] as (keyof Row<Kind>)[]) {
    const value: unknown = row[name]
    if (value === other?.[name]) continue
    if (typeof value === 'string') bytes += textBytes(value)
    if (Array.isArray(value)) for (const text of value) bytes += textBytes(String(text))
  }
  return bytes
}

/** The methods of a model of @mswjs/data that this file uses. */
interface Model<Row> {
  create(row: Row): Row
  getAll(): Row[]
  delete(query: { where: Record<string, { equals: string }> }): unknown
}

/** Number of deleted entities from which the library is emptied. */
const maximumDeleted = 100

/**
 * Rows of one kind in @mswjs/data, in insertion order. No other code uses the library. Its queries,
 * `update` and `delete` examine every entity (1.8 ms at 5,000), so that a map has the entities by id,
 * and deleted ones stay in the library until they are more than the others.
 */
export class Rows<Kind extends KindName> {
  /** Estimated heap of the rows, without strings that they share with the rows of `base`, in bytes. */
  bytes = 0
  /** The records as JSON, if they never change. Created on first use. */
  json: JsonText | undefined
  readonly #entities = new Map<string, Row<Kind>>()
  /** Created with the first row, because it occupies 2 KB. */
  #model: Model<Row<Kind>> | undefined
  /** Ids of the deleted entities that the library still has. */
  readonly #deleted = new Set<string>()

  /** @param base Rows of the scenario, of which these rows replace some. */
  constructor(
    readonly kind: Kind,
    readonly base?: Rows<Kind>,
  ) {}

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
    const entities = this.#model?.getAll() ?? []
    if (this.#deleted.size === 0) return entities
    return entities.filter((row) => !this.#deleted.has(idOf(this.kind, row)))
  }

  /** Estimates the heap of a row, without strings that it shares with the one of `base`, in bytes. */
  sizeOf(id: string, row: Row<Kind> | undefined): number {
    return sizeOfRow(this.kind, row, this.base?.find(id))
  }

  /** Appends a row, or replaces the row with the same id at its position. */
  put(id: string, row: Row<Kind>): void {
    const entity = this.#entities.get(id)
    this.bytes += this.sizeOf(id, row) - this.sizeOf(id, entity)
    if (entity) Object.assign(entity, row)
    else {
      this.#model ??= createModel(this.kind, row)
      const where = { [recordKinds[this.kind].id]: { equals: id } }
      if (this.#deleted.delete(id)) this.#model.delete({ where })
      this.#entities.set(id, this.#model.create(row))
    }
  }

  delete(id: string): void {
    const entity = this.#entities.get(id)
    if (!entity) return
    this.bytes -= this.sizeOf(id, entity)
    this.#entities.delete(id)
    clearRow(this.kind, entity)
    this.#deleted.add(id)
    if (this.#deleted.size <= maximumDeleted + this.#entities.size) return
    this.#deleted.clear()
    this.#model = undefined
    for (const [other, row] of this.#entities) {
      this.#model ??= createModel(this.kind, row)
      this.#entities.set(other, this.#model.create(row))
    }
  }
}

/** Removes all values of a deleted row but its id, so that the library does not retain them. */
function clearRow<Kind extends KindName>(kind: Kind, row: Row<Kind>): void {
  const cleared = Object.keys(row).map((name) => [name, undefined])
  Object.assign(row, Object.fromEntries(cleared), { [recordKinds[kind].id]: idOf(kind, row) })
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
    loadRow(rows, record)
  }
  return rows
}

/** Adds a record of a scenario. */
export function loadRow<Kind extends KindName>(rows: Rows<Kind>, record: RecordOf<Kind>): void {
  const id = idOf(rows.kind, record)
  rows.put(id, toRow(rows.kind, record))
  Object.freeze(rows.find(id))
}

/** Returns the records that a world retains: of messages, the newest, oldest first. */
export function selectNewest<Kind extends KindName>(
  kind: Kind,
  records: readonly RecordOf<Kind>[],
): readonly RecordOf<Kind>[] {
  const { maximum, newestBytes } = recordModels[kind]
  if (newestBytes === undefined) return records
  const newest = records.slice(-maximum)
  let bytes = 0
  const lastDropped = newest.findLastIndex((record) => {
    bytes += sizeOfRow(kind, toRow(kind, record))
    return bytes > newestBytes
  })
  return newest.slice(lastDropped + 1)
}
