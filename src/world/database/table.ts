import { type Int64Input, readId } from '../../service/int64.js'
import { JsonText } from '../../service/json-text.js'
import { idOf, recordKinds } from '../../service/records.js'
import { type KindName, type RecordOf, recordModels } from '../../service/schemas.js'
import { type Row, Rows, sizeOfRow, toRecord, toRow } from './rows.js'

/** The records of a world that differ from its scenario, in the form of JSON. */
export interface TableChanges<Kind extends KindName> {
  /** Ids of the removed records of the scenario. */
  readonly removed: readonly string[]
  /** Replaced records of the scenario, and added records in their order. */
  readonly put: readonly RecordOf<Kind>[]
}

/** Size of the id of a removed row, in bytes. */
export const removedBytes = 30

/**
 * The records of one kind in a world. Those of its scenario are shared with other worlds and never
 * change; a world has the rows that it has put, and the ids of those that it has removed. Records are
 * in insertion order: a replaced record keeps its position, and one that is removed and added again
 * goes to the end.
 */
export class Table<Kind extends KindName> {
  /** @internal */
  readonly kind: Kind
  /** Estimated size of what only this world retains: its rows and its cached list. @internal */
  bytes = 0
  /** The size of the database, which includes that of this table. */
  readonly #total: { bytes: number }
  #shared!: Rows<Kind>
  /** Replaced rows of the scenario, and added rows in their order. Created with the first write. */
  #own: Rows<Kind> | undefined
  /** Ids of the removed rows of the scenario. A row with such an id in `#own` was added again. */
  readonly #removed = new Set<string>()
  #count = 0
  /** Size of all records, in bytes. That of messages is limited. */
  #allBytes = 0

  /**
   * @internal
   * @param shared The records of the scenario.
   */
  constructor(shared: Rows<Kind>, total: { bytes: number }) {
    this.kind = shared.kind
    this.#total = total
    this.restart(shared)
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

  /** Returns the records as a JSON list, which is cached until the next write. @internal */
  toJson(toJson: (record: RecordOf<Kind>) => string): JsonText {
    const rows = this.#own ?? this.#shared
    if (!rows.json) {
      rows.json = new JsonText(`[${this.list().map(toJson).join(',')}]`)
      // The text, and its bytes, which the first response creates.
      if (rows === this.#own) this.#resize(this.bytes + 2 * rows.json.byteLength)
    }
    return rows.json
  }

  /** Discards the cached list of this world. @internal */
  dropList(): void {
    if (this.#own) this.#own.json = undefined
    this.#resize((this.#own?.bytes ?? 0) + this.#removed.size * removedBytes)
  }

  #resize(bytes: number): void {
    this.#total.bytes += bytes - this.bytes
    this.bytes = bytes
  }

  /** Discards all writes and continues with the records of a scenario. @internal */
  restart(shared: Rows<Kind>): void {
    this.#shared = shared
    this.#own = undefined
    this.#removed.clear()
    this.#count = shared.count
    this.#allBytes = shared.bytes
    this.dropList()
  }

  /** Returns all writes, for `load`. Undefined if there are none. @internal */
  save(): TableChanges<Kind> | undefined {
    if (!this.#own) return undefined
    const put = this.#own.list().map((row) => toRecord(this.kind, row))
    return { removed: [...this.#removed], put }
  }

  /** Repeats the writes of a table with the same records of the scenario. @internal */
  load({ removed, put }: TableChanges<Kind>): void {
    for (const id of removed) this.delete(id)
    for (const record of put) this.put(record)
  }

  /**
   * Appends a record, or replaces the one with the same id at its position. Evicts the oldest records
   * beyond the limits of the kind. @internal
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
    const { maximum, newestBytes } = recordModels[this.kind]
    const replaced = this.#find(id)
    if (!replaced) this.#count += 1
    this.#allBytes += sizeOfRow(row) - sizeOfRow(replaced)
    this.#open().put(id, row)
    this.dropList()
    if (newestBytes === undefined) return
    while (this.#count > maximum || this.#allBytes > newestBytes) this.delete(this.#firstId())
  }

  /** Removes a record. Does nothing if there is none with this id. @internal */
  delete(id: string): void {
    const row = this.#find(id)
    if (!row) return
    this.#count -= 1
    this.#allBytes -= sizeOfRow(row)
    this.#open().delete(id)
    if (this.#shared.find(id)) this.#removed.add(id)
    this.dropList()
  }

  /** Estimates how much `put` would add to `bytes`; at least 0. @internal */
  costOf(record: RecordOf<Kind>): number {
    const own = this.#own?.find(idOf(this.kind, record))
    return Math.max(0, sizeOfRow(toRow(this.kind, record)) - sizeOfRow(own))
  }

  /** Estimates how much `set` would add to `bytes`: a row, unless this world has one. @internal */
  costOfSet(id: string): number {
    return this.#own?.find(id) ? 0 : sizeOfRow(this.#shared.find(id))
  }

  #find(id: string): Row<Kind> | undefined {
    return this.#own?.find(id) ?? (this.#removed.has(id) ? undefined : this.#shared.find(id))
  }

  #rows(): readonly Row<Kind>[] {
    const shared = this.#shared.list()
    if (!this.#own) return shared
    const toEntry = (row: Row<Kind>) => [idOf(this.kind, row), row] as const
    const rows = new Map(shared.map(toEntry))
    for (const id of this.#removed) rows.delete(id)
    for (const row of this.#own.list()) rows.set(...toEntry(row))
    return [...rows.values()]
  }

  #open(): Rows<Kind> {
    this.#own ??= new Rows(this.kind)
    return this.#own
  }

  #firstId(): string {
    for (const id of this.#shared.ids()) if (!this.#removed.has(id)) return id
    const [first = ''] = this.#open().ids()
    return first
  }
}
