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
 * The records of one kind: of a scenario, or of a world. Worlds share the table of their scenario,
 * which never changes; the table of a world has only its own rows, and the ids of removed shared rows.
 * Records are in insertion order: a replaced record keeps its position, and a record that is removed
 * and added again goes to the end.
 */
export class Table<Kind extends KindName> {
  /** Estimated size of the rows and the cached list of this table. @internal */
  bytes = 0
  /** The size of the database, including this table. */
  readonly #total: { bytes: number }
  /** The records of the scenario of a world. */
  #shared: Table<Kind> | undefined
  /** Rows that replace shared ones, and added rows in their order. Created with the first write. */
  #own: Rows<Kind> | undefined
  /** Ids of the removed shared rows. A row with such an id in `#own` was added again. */
  readonly #removed = new Set<string>()
  #count = 0
  /** Size of all records, in bytes. Messages have a limit. */
  #allBytes = 0
  /** The records as JSON, if they differ from the shared records. Created on first use. */
  #list: JsonText | undefined

  /** @internal */
  constructor(
    /** @internal */ readonly kind: Kind,
    shared?: Table<Kind>,
    total: { bytes: number } = { bytes: 0 },
  ) {
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
    if (this.#shared && !this.#own) return this.#shared.toJson(toJson)
    if (!this.#list) {
      this.#list = new JsonText(`[${this.list().map(toJson).join(',')}]`)
      // The text, and its bytes, which the first response creates.
      this.#grow(2 * this.#list.byteLength)
    }
    return this.#list
  }

  /** Discards the cached list of this world. @internal */
  dropList(): void {
    if (this.#list) this.#grow(-2 * this.#list.byteLength)
    this.#list = undefined
  }

  #grow(bytes: number): void {
    this.bytes += bytes
    this.#total.bytes += bytes
  }

  /** Discards all writes and continues with the records of a scenario. @internal */
  restart(shared: Table<Kind> | undefined): void {
    this.#shared = shared
    this.#own = undefined
    this.#removed.clear()
    this.#count = shared ? shared.#count : 0
    this.#allBytes = shared ? shared.#allBytes : 0
    this.#list = undefined
    this.#grow(-this.bytes)
  }

  /** Returns all writes, for `load`. Undefined if there are none. @internal */
  save(): TableChanges<Kind> | undefined {
    if (!this.#own) return undefined
    const put = this.#own.list().map((row) => toRecord(this.kind, row))
    return { removed: [...this.#removed], put }
  }

  /** Applies the saved writes of a table with the same records of the scenario. @internal */
  load({ removed, put }: TableChanges<Kind>): void {
    for (const id of removed) this.delete(id)
    for (const record of put) this.put(record)
  }

  /**
   * Appends a record, or replaces the record with the same id at its position. Evicts the oldest
   * records beyond the limits of the kind. @internal
   */
  put(record: RecordOf<Kind>): void {
    this.#put(idOf(this.kind, record), toRow(this.kind, record))
  }

  /** Sets documented fields of a record. Returns whether a record has this id. @internal */
  set(id: string, fields: Partial<RecordOf<Kind>>): boolean {
    const row = this.#find(id)
    if (row) this.#put(id, { ...row, ...fields })
    return row !== undefined
  }

  #put(id: string, row: Row<Kind>): void {
    const { maximum, newestBytes } = recordModels[this.kind]
    const replaced = this.#find(id)
    if (!replaced) this.#count += 1
    const own = this.#open()
    const size = sizeOfRow(row)
    const replacedSize = sizeOfRow(replaced)
    this.#allBytes += size - replacedSize
    this.#grow(own.find(id) ? size - replacedSize : size)
    own.put(id, row)
    this.dropList()
    if (newestBytes === undefined) return
    while (this.#count > maximum || this.#allBytes > newestBytes) this.delete(this.#firstId())
  }

  /** Removes a record. Does nothing if no record has this id. @internal */
  delete(id: string): void {
    const row = this.#find(id)
    if (!row) return
    this.#count -= 1
    const size = sizeOfRow(row)
    this.#allBytes -= size
    const own = this.#open()
    if (own.find(id)) this.#grow(-size)
    own.delete(id)
    if (this.#findShared(id) && !this.#removed.has(id)) {
      this.#removed.add(id)
      this.#grow(removedBytes)
    }
    this.dropList()
  }

  /** Estimates how much `put` would add to `bytes`; at least 0. @internal */
  costOf(record: RecordOf<Kind>): number {
    const own = this.#own?.find(idOf(this.kind, record))
    return Math.max(0, sizeOfRow(toRow(this.kind, record)) - sizeOfRow(own))
  }

  /** Estimates how much `set` would add to `bytes`: a row, unless this world already has it. @internal */
  costOfSet(id: string): number {
    return this.#own?.find(id) ? 0 : sizeOfRow(this.#find(id))
  }

  #open(): Rows<Kind> {
    this.#own ??= new Rows(this.kind)
    return this.#own
  }

  #find(id: string): Row<Kind> | undefined {
    return this.#own?.find(id) ?? (this.#removed.has(id) ? undefined : this.#findShared(id))
  }

  #findShared(id: string): Row<Kind> | undefined {
    return this.#shared ? this.#shared.#find(id) : undefined
  }

  #rows(): readonly Row<Kind>[] {
    if (!this.#own) return this.#shared ? this.#shared.#rows() : []
    if (!this.#shared) return this.#own.list()
    const toEntry = (row: Row<Kind>) => [idOf(this.kind, row), row] as const
    const rows = new Map(this.#shared.#rows().map(toEntry))
    for (const id of this.#removed) rows.delete(id)
    for (const row of this.#own.list()) rows.set(...toEntry(row))
    return [...rows.values()]
  }

  #firstId(): string {
    const shared = this.#shared ? this.#shared.#own : undefined
    for (const id of shared?.ids() ?? []) if (!this.#removed.has(id)) return id
    const [first = ''] = this.#open().ids()
    return first
  }
}
