import { JsonText } from '../../service/json-text.js'
import { type RowKind, Rows, sizeOfRow } from './rows.js'

/** The rows of a world that differ from those of its scenario. */
interface Overlay<Row extends object> {
  /** Replaced rows of the scenario, and added rows in their order. */
  readonly rows: Rows<Row>
  /** Ids of the removed rows of the scenario. A row with such an id in `rows` was added again. */
  readonly removed: Set<string>
}

/** The writes to a table in the form of JSON. */
export interface TableChanges<Row> {
  /** Ids of the removed rows of the scenario. */
  readonly removed: readonly string[]
  /** Replaced rows of the scenario, and added rows in their order. */
  readonly rows: readonly Row[]
}

/** Size of the id of a removed row, in bytes. */
const removedBytes = 30

/**
 * The rows of one kind in a world. The rows of its scenario are shared with other worlds and never
 * change; the first write creates an overlay. Rows are in insertion order: a replaced row keeps its
 * position, and a row that is removed and added again goes to the end.
 */
export class Table<Row extends object> {
  readonly #kind: RowKind<Row>
  #base: Rows<Row>
  #overlay: Overlay<Row> | undefined
  #size: number
  /** Estimated size of what only this world retains: its rows and its cached list, in bytes. */
  bytes = 0
  /** The part of `bytes` that is the cached list. */
  #listBytes = 0
  /** The rows as JSON, if they differ from those of the scenario. Created on first use. */
  #list: JsonText | undefined

  /** @param base The rows of the scenario. */
  constructor(base: Rows<Row>) {
    this.#kind = base.kind
    this.#base = base
    this.#size = base.map.size
  }

  get size(): number {
    return this.#size
  }

  /** Discards all writes and continues with the rows of a scenario. */
  restart(base: Rows<Row>): void {
    this.#base = base
    this.#overlay = undefined
    this.#size = base.map.size
    this.bytes = 0
    this.#listBytes = 0
    this.#list = undefined
  }

  find(id: string): Row | undefined {
    const own = this.#overlay?.rows.find(id)
    if (own || this.#overlay?.removed.has(id)) return own
    return this.#base.find(id)
  }

  rows(): Row[] {
    const base = this.#base.map
    if (!this.#overlay) return [...base.values()]
    const { rows, removed } = this.#overlay
    const own = rows.map
    const all: Row[] = []
    for (const [id, row] of base) if (!removed.has(id)) all.push(own.get(id) ?? row)
    for (const [id, row] of own) if (!base.has(id) || removed.has(id)) all.push(row)
    return all
  }

  /** Returns the rows as a JSON list, which is cached until the next write. */
  toList(toJson: (row: Row) => string): JsonText {
    const create = () => new JsonText(`[${this.rows().map(toJson).join(',')}]`)
    if (!this.#overlay) {
      this.#base.list ??= create()
      return this.#base.list
    }
    if (!this.#list) {
      this.#list = create()
      // The text, and its bytes, which the first response creates.
      this.#listBytes = 2 * this.#list.byteLength
      this.bytes += this.#listBytes
    }
    return this.#list
  }

  /** Discards the cached list of this world. */
  dropList(): void {
    this.#list = undefined
    this.bytes -= this.#listBytes
    this.#listBytes = 0
  }

  /** Returns all writes, for `load`. Undefined if there are none. */
  save(): TableChanges<Row> | undefined {
    if (!this.#overlay) return undefined
    const { rows, removed } = this.#overlay
    return { removed: [...removed], rows: [...rows.values()] }
  }

  /** Repeats the writes of a table with the same rows of the scenario. */
  load({ removed, rows }: TableChanges<Row>): void {
    for (const id of removed) this.remove(id)
    for (const row of rows) this.put(row)
  }

  /** Returns the first row. */
  first(): Row | undefined {
    for (const id of this.#base.map.keys()) {
      if (!this.#overlay?.removed.has(id)) return this.find(id)
    }
    return this.#overlay?.rows.values().next().value
  }

  /** Appends a row, or replaces the row with the same id at its position. */
  put(row: Row): void {
    const id = String(row[this.#kind.id])
    const shared = this.#shareText(id, row)
    if (!this.find(id)) this.#size += 1
    this.bytes += this.#growthOf(id, shared)
    this.#open().rows.put(shared)
    this.dropList()
  }

  /** Removes a row. Does nothing if there is none with this id. */
  remove(id: string): void {
    if (!this.find(id)) return
    this.#size -= 1
    const { rows, removed } = this.#open()
    const own = rows.find(id)
    if (own) this.bytes -= this.#ownBytes(id, own)
    rows.delete(id)
    if (this.#base.find(id) && !removed.has(id)) {
      removed.add(id)
      this.bytes += removedBytes
    }
    this.dropList()
  }

  /** Estimates how much `put` would add to `bytes`; at least 0. */
  costOf(row: Row): number {
    const id = String(row[this.#kind.id])
    return Math.max(0, this.#growthOf(id, this.#shareText(id, row)))
  }

  #open(): Overlay<Row> {
    this.#overlay ??= { rows: new Rows(this.#kind), removed: new Set() }
    return this.#overlay
  }

  #growthOf(id: string, row: Row): number {
    const replaced = this.#overlay?.rows.find(id)
    return this.#ownBytes(id, row) - (replaced ? this.#ownBytes(id, replaced) : 0)
  }

  /** Returns the size of a row in the overlay. The text may be the string of the scenario. */
  #ownBytes(id: string, row: Row): number {
    const { text, rowBytes } = this.#kind
    return this.#base.find(id)?.[text] === row[text] ? rowBytes : sizeOfRow(this.#kind, row)
  }

  /** Replaces the text by the string of the scenario if both are equal. */
  #shareText(id: string, row: Row): Row {
    const { text } = this.#kind
    const base = this.#base.find(id)
    return base && base[text] === row[text] ? { ...row, [text]: base[text] } : row
  }
}
