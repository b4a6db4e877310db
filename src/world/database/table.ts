import { type Int64Input, readId } from '../../service/int64.js'
import { JsonText } from '../../service/json-text.js'
import { idOf, recordKinds } from '../../service/records.js'
import { type KindName, type RecordOf, recordModels } from '../../service/schemas.js'
import { type Row, Rows, type SharedRows, sizeOfRow, toRecord, toRow } from './rows.js'

/** The records of a world that differ from those of its scenario, in the form of JSON. */
export interface TableChanges<Kind extends KindName> {
  /** Ids of the removed records of the scenario. */
  readonly removed: readonly string[]
  /** Replaced records of the scenario, and added records in their order. */
  readonly put: readonly RecordOf<Kind>[]
}

/** What a world changed of the records of its scenario. */
interface Overlay<Kind extends KindName> {
  /** Replaced rows of the scenario, and added rows in their order. */
  readonly rows: Rows<Kind>
  /** Ids of the removed rows of the scenario. A row with such an id in `rows` was added again. */
  readonly removed: Set<string>
}

/** Size of the id of a removed row, in bytes. */
export const removedBytes = 30

/**
 * The records of one kind in a world. Those of its scenario are shared with other worlds and never
 * change; the first write creates an overlay. Records are in insertion order: a replaced record keeps
 * its position, and one that is removed and added again goes to the end.
 */
export class Table<Kind extends KindName> {
  /** @internal */
  readonly kind: Kind
  #shared: SharedRows<Kind>
  #overlay: Overlay<Kind> | undefined
  #count: number
  /** Maximum size of the retained records, in bytes. Beyond it, the oldest are evicted. */
  readonly #newestBytes: number | undefined
  /** Size of the retained records, in bytes, if it is limited. */
  #retainedBytes: number
  readonly #onGrow: (bytes: number) => void
  /** Size of the cached list, in bytes. */
  #listBytes = 0
  /** The records as JSON, if they differ from those of the scenario. Created on first use. */
  #list: JsonText | undefined

  /**
   * @internal
   * @param shared The records of the scenario.
   * @param onGrow Receives by how many bytes the estimated size of what only this world retains grows:
   *   its rows and its cached list.
   */
  constructor(shared: SharedRows<Kind>, onGrow: (bytes: number) => void = () => {}) {
    this.#onGrow = onGrow
    this.kind = shared.kind
    this.#shared = shared
    this.#count = shared.count
    this.#newestBytes = recordModels[shared.kind].newestBytes
    this.#retainedBytes = shared.bytes
  }

  /** Number of records. */
  get count(): number {
    return this.#count
  }

  /** Returns a copy of each record, in insertion order. */
  list(): RecordOf<Kind>[] {
    return this.#rows().map((row) => toRecord(this.kind, row))
  }

  /**
   * Returns a copy of a record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   */
  find(id: Int64Input): RecordOf<Kind> | undefined {
    const row = this.#find(readId(recordKinds[this.kind].id, id))
    return row && toRecord(this.kind, row)
  }

  /** Returns the id of each record, in insertion order. @internal */
  ids(): string[] {
    return this.#rows().map((row) => idOf(this.kind, row))
  }

  /**
   * Returns the records as a JSON list, which is cached until the next write.
   *
   * @internal
   */
  toJson(toJson: (record: RecordOf<Kind>) => string): JsonText {
    const create = () => new JsonText(`[${this.list().map(toJson).join(',')}]`)
    if (!this.#overlay) {
      this.#shared.json ??= create()
      return this.#shared.json
    }
    if (!this.#list) {
      this.#list = create()
      // The text, and its bytes, which the first response creates.
      this.#listBytes = 2 * this.#list.byteLength
      this.#onGrow(this.#listBytes)
    }
    return this.#list
  }

  /** Discards the cached list of this world. @internal */
  dropList(): void {
    this.#list = undefined
    this.#onGrow(-this.#listBytes)
    this.#listBytes = 0
  }

  /** Discards all writes and continues with the records of a scenario. @internal */
  restart(shared: SharedRows<Kind>): void {
    this.#shared = shared
    this.#overlay = undefined
    this.#count = shared.count
    this.#retainedBytes = shared.bytes
    this.#listBytes = 0
    this.#list = undefined
  }

  /** Returns all writes, for `load`. Undefined if there are none. @internal */
  save(): TableChanges<Kind> | undefined {
    if (!this.#overlay) return undefined
    const { rows, removed } = this.#overlay
    return { removed: [...removed], put: rows.list().map((row) => toRecord(this.kind, row)) }
  }

  /** Repeats the writes of a table with the same records of the scenario. @internal */
  load({ removed, put }: TableChanges<Kind>): void {
    for (const id of removed) this.delete(id)
    for (const record of put) this.put(record)
  }

  /**
   * Appends a record, or replaces the one with the same id at its position. Evicts the oldest records
   * beyond the limits of the kind.
   *
   * @internal
   */
  put(record: RecordOf<Kind>): void {
    this.#put(idOf(this.kind, record), toRow(this.kind, record))
  }

  /** Sets documented fields of a record. Returns whether there is one with this id. @internal */
  set(id: string, fields: Partial<RecordOf<Kind>>): boolean {
    const row = this.#find(id)
    if (row) this.#put(id, { ...row, ...fields })
    return row !== undefined
  }

  #put(id: string, row: Row<Kind>): void {
    const replaced = this.#find(id)
    if (!replaced) this.#count += 1
    this.#onGrow(this.#growthOf(id, row))
    if (this.#newestBytes !== undefined) this.#retain(row, replaced)
    this.#open().rows.put(id, row)
    this.dropList()
    if (this.#newestBytes !== undefined) this.#evict(this.#newestBytes)
  }

  /** Removes a record. Does nothing if there is none with this id. @internal */
  delete(id: string): void {
    const row = this.#find(id)
    if (!row) return
    this.#count -= 1
    if (this.#newestBytes !== undefined) this.#retain(undefined, row)
    const { rows, removed } = this.#open()
    const shared = this.#shared.find(id)
    if (rows.find(id)) this.#onGrow(-sizeOfRow(this.kind, row, shared))
    rows.delete(id)
    if (shared && !removed.has(id)) {
      removed.add(id)
      this.#onGrow(removedBytes)
    }
    this.dropList()
  }

  /** Estimates by how many bytes `put` would grow the table; at least 0. @internal */
  costOf(record: RecordOf<Kind>): number {
    return Math.max(0, this.#growthOf(idOf(this.kind, record), toRow(this.kind, record)))
  }

  #growthOf(id: string, row: Row<Kind>): number {
    const shared = this.#shared.find(id)
    const replaced = this.#overlay?.rows.find(id)
    const before = replaced ? sizeOfRow(this.kind, replaced, shared) : 0
    return sizeOfRow(this.kind, row, shared) - before
  }

  #find(id: string): Row<Kind> | undefined {
    const own = this.#overlay?.rows.find(id)
    if (own || this.#overlay?.removed.has(id)) return own
    return this.#shared.find(id)
  }

  #rows(): readonly Row<Kind>[] {
    const shared = this.#shared.list()
    if (!this.#overlay) return shared
    const { rows, removed } = this.#overlay
    const toId = (row: Row<Kind>) => idOf(this.kind, row)
    const all: Row<Kind>[] = []
    for (const row of shared) {
      const id = toId(row)
      if (!removed.has(id)) all.push(rows.find(id) ?? row)
    }
    for (const row of rows.list()) {
      const id = toId(row)
      if (!this.#shared.find(id) || removed.has(id)) all.push(row)
    }
    return all
  }

  #open(): Overlay<Kind> {
    this.#overlay ??= { rows: new Rows(this.kind), removed: new Set() }
    return this.#overlay
  }

  /** Counts the bytes of the retained records. */
  #retain(added: Row<Kind> | undefined, removed: Row<Kind> | undefined): void {
    if (added) this.#retainedBytes += sizeOfRow(this.kind, added)
    if (removed) this.#retainedBytes -= sizeOfRow(this.kind, removed)
  }

  #evict(newestBytes: number): void {
    const { maximum } = recordModels[this.kind]
    while (this.#count > maximum || this.#retainedBytes > newestBytes) {
      const id = this.#firstId()
      if (id === undefined) return
      this.delete(id)
    }
  }

  #firstId(): string | undefined {
    const { rows, removed } = this.#open()
    for (const id of this.#shared.ids()) if (!removed.has(id)) return id
    const [first] = rows.ids()
    return first
  }
}
