import { factory, primaryKey } from '@mswjs/data'
import { recordKinds } from '../../service/records.js'
import { type KindName, type RecordOf, recordModels } from '../../service/schemas.js'

/**
 * Matches a string whose characters V8 stores in two bytes instead of one. V8 skips strings of one byte
 * in this search; the negated expression, `^[\0-\xff]*$`, took a fifth of the time of a request.
 */
export const twoByte = /[^\0-\xff]/

/** Estimates the heap that the characters of a string occupy, in bytes. */
export function textBytes(text: string): number {
  return twoByte.test(text) ? text.length * 2 : text.length
}

/** A record in @mswjs/data: its documented fields, and the additional ones as one JSON string. */
export type Row<Kind extends KindName> = RecordOf<Kind> & { readonly additional: string }

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
  for (const name of Object.keys(recordModels[kind].schema.shape)) {
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
 * examine every entity (1.8 ms at 5,000). Therefore a map has the entities by id, and rows are deleted
 * from the library in batches.
 */
export class Rows<Kind extends KindName> {
  readonly #entities = new Map<string, Row<Kind>>()
  /** Created with the first row, because it occupies 2 KB. */
  #model: Model<Row<Kind>> | undefined
  /** Ids of the deleted rows that the library still has. */
  #deleted: string[] = []

  constructor(readonly kind: Kind) {}

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
    if (entity) {
      Object.assign(entity, row)
      return
    }
    if (this.#deleted.includes(id)) this.#purge()
    this.#model ??= createModel(this.kind, row)
    this.#entities.set(id, this.#model.create(row))
  }

  delete(id: string): void {
    const entity = this.#entities.get(id)
    if (!entity) return
    this.#entities.delete(id)
    this.#deleted.push(id)
    // The library keeps the deleted row for now, but without its values.
    for (const name of Object.keys(entity)) {
      if (name !== recordKinds[this.kind].id) Reflect.set(entity, name, undefined)
    }
    if (this.#deleted.length > maximumDeleted) this.#purge()
  }

  /** Removes the deleted rows from the library. */
  #purge(): void {
    if (this.#deleted.length === 0) return
    this.#model?.deleteMany({ where: { [recordKinds[this.kind].id]: { in: this.#deleted } } })
    this.#deleted = []
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
