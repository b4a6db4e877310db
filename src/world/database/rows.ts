import { factory, primaryKey } from '@mswjs/data'
import type { Int64 } from '../../service/int64.js'
import type { JsonText } from '../../service/json-text.js'
import type { OrderParts } from '../../service/operations/operation.js'
import type { Message, Order, Pet, PetStatus } from '../../service/schemas.js'
import { textBytes } from './bytes.js'

/** Row of a pet. Fields that no query needs are stored as a JSON string. */
export interface PetRow {
  readonly petId: Int64
  readonly quantity: number
  readonly status: PetStatus
  readonly details: string
}

/** Row of an order. */
export type OrderRow = OrderParts

/** Creates the models of @mswjs/data by kind of row. The library is executed on its first call. */
const createModels = () => ({
  pet: { petId: primaryKey(String), quantity: Number, status: String, details: String },
  order: { id: primaryKey(String), petId: String, details: String },
  message: { id: primaryKey(String), message: String, status: String, createdAt: String },
})

/** A kind of row. */
export interface RowKind<Row> {
  readonly model: 'pet' | 'order' | 'message'
  /** Field with the primary key. */
  readonly id: keyof Row
  /** Field with the string that occupies most of the heap of a row. */
  readonly text: keyof Row
  /** Heap of a row without its text, and of its entry in the map of the library, in bytes. */
  readonly rowBytes: number
}

export const petRows: RowKind<PetRow> = {
  model: 'pet',
  id: 'petId',
  text: 'details',
  rowBytes: 200,
}
export const orderRows: RowKind<OrderRow> = {
  model: 'order',
  id: 'id',
  text: 'details',
  rowBytes: 200,
}
export const messageRows: RowKind<Message> = {
  model: 'message',
  id: 'id',
  text: 'message',
  rowBytes: 360,
}

export function toPetRow({ petId, quantity, status, ...details }: Pet): PetRow {
  return { petId, quantity, status, details: JSON.stringify(details) }
}

export function toPet({ petId, quantity, status, details }: PetRow): Pet {
  const { name, ...rest } = JSON.parse(details)
  return { petId, name, quantity, status, ...rest }
}

export function toOrderRow({ id, petId, ...details }: Order): OrderRow {
  return { id, petId, details: JSON.stringify(details) }
}

export function toOrder({ id, petId, details }: OrderRow): Order {
  return { id, petId, ...JSON.parse(details) }
}

/** Returns a stored row. Earlier versions stored `petId` among the details. */
export function toCurrentOrderRow(row: OrderRow): OrderRow {
  return row.petId === undefined ? toOrderRow(toOrder(row)) : row
}

/** Returns a message without the internal fields of the library. */
export function toMessage({ id, message, status, createdAt }: Message): Message {
  return { id, message, status, createdAt }
}

/** Estimates the heap that a row occupies, in bytes. */
export function sizeOfRow<Row>(kind: RowKind<Row>, row: Row): number {
  return kind.rowBytes + textBytes(String(row[kind.text]))
}

/** The part of @mswjs/data that this file uses. */
interface Library<Row> {
  create(row: Row): object
  readonly database: {
    getModel(name: string): ReadonlyMap<string, Row>
    create(name: string, row: Row): void
    update(name: string, replaced: Row, row: Row): void
    delete(name: string, id: string): void
  }
}

/**
 * Rows of one kind in @mswjs/data, by id and in insertion order. A row never changes: a write
 * replaces it. No other code uses the library. Its queries scan all rows, so this class finds,
 * replaces and deletes rows in the database behind the models, which has them by id.
 */
export class Rows<Row extends object> {
  /** The rows as JSON. Cached for the rows of a scenario, which never change. */
  list: JsonText | undefined
  /** Created with the first row, because it occupies 2 KB. */
  #library: Library<Row> | undefined
  /** The internal fields that the library added to the first row. They are the same for each row. */
  #internals: object | undefined

  constructor(readonly kind: RowKind<Row>) {}

  /** The rows by id, in insertion order. */
  get map(): ReadonlyMap<string, Row> {
    return this.#library?.database.getModel(this.kind.model) ?? noRows
  }

  find(id: string): Row | undefined {
    return this.map.get(id)
  }

  values(): IterableIterator<Row> {
    return this.map.values()
  }

  /** Appends a row, or replaces the row with the same id at its position. */
  put(row: Row): void {
    const { model, id } = this.kind
    this.#library ??= openLibrary(model)
    const replaced = this.map.get(String(row[id]))
    // Reading the model for each row would take most of the time that a scenario takes to load.
    const complete = { ...row, ...this.#internals }
    if (replaced) this.#library.database.update(model, replaced, complete)
    else if (this.#internals) this.#library.database.create(model, complete)
    else this.#internals = pickInternals(this.#library.create(row))
  }

  delete(id: string): void {
    this.#library?.database.delete(this.kind.model, id)
  }
}

/** Returns the fields of a row whose names are symbols. */
function pickInternals(row: object): object {
  const symbols = Object.getOwnPropertySymbols(row)
  return Object.fromEntries(symbols.map((symbol) => [symbol, Reflect.get(row, symbol)]))
}

const noRows = new Map<string, never>()

function openLibrary<Row>(model: RowKind<Row>['model']): Library<Row> {
  const created = factory({ [model]: createModels()[model] })
  const { create } = created[model] as { create(row: Row): object } // the types of a computed name are lost
  return { create, database: findDatabase(created) as Library<Row>['database'] }
}

/**
 * Finds the database behind the models by the description of its symbol, which the library does not
 * export.
 */
function findDatabase(created: object): unknown {
  const symbol = Object.getOwnPropertySymbols(created).find(
    ({ description }) => description === 'databaseInstance',
  )
  if (symbol) return Reflect.get(created, symbol)
  throw new Error('@mswjs/data has no symbol databaseInstance; only version 0.16.2 is supported')
}
