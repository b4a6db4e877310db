import type { Change, RecordPut } from '../../service/operations/change.js'
import {
  createNotFoundProblem,
  kindNames,
  mapKinds,
  type Records,
  recordKinds,
  type WritableKind,
} from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import { Collection } from './collection.js'
import { SharedRows } from './rows.js'
import { Table, type TableChanges } from './table.js'

/** The records of a scenario by kind, loaded once and shared by its worlds. They never change. */
export type SharedRecords = { readonly [Kind in KindName]: SharedRows<Kind> }

/** Loads the records of a scenario. Retains none of the objects. */
export function shareRecords(records: Records): SharedRecords {
  return mapKinds<SharedRecords>((kind) => new SharedRows(kind, records[kind]))
}

/** Returns a copy of the records of a scenario. */
export function listShared(shared: SharedRecords): Records {
  return mapKinds<Records>((kind) => new Table(shared[kind]).list())
}

/** Estimated heap of the records of a scenario, in bytes. */
export function bytesOfShared(shared: SharedRecords): number {
  return kindNames.reduce((bytes, kind) => bytes + shared[kind].bytes, 0)
}

/** The changes of a world to the records of its scenario, in the form of JSON. */
export type DatabaseChanges = { readonly [Kind in KindName]?: TableChanges<Kind> | undefined }

/** Number of changes to the records of each kind. */
export type ChangeCounts = { readonly [Kind in KindName]: number }

/** The records of a world by kind. */
export type Collections = {
  readonly [Kind in KindName]: Kind extends WritableKind ? Collection<Kind> : Table<Kind>
}

/** The data of a world: a collection for each kind of record, such as `db.pets`. */
export type Database = Collections & DatabaseState

/**
 * Creates the data of a world.
 *
 * @param apply Executes a change of the world.
 */
export function createDatabase(shared: SharedRecords, apply: (change: Change) => void): Database {
  const collections = mapKinds<Collections>((kind) => createTable(kind, shared, apply))
  return Object.assign(new DatabaseState(shared, collections), collections)
}

function createTable<Kind extends KindName>(
  kind: Kind,
  shared: SharedRecords,
  apply: (change: Change) => void,
): Table<Kind> {
  const isWritable = 'notFound' in recordKinds[kind]
  const table = isWritable
    ? new Collection(shared[kind as WritableKind], apply)
    : new Table<KindName>(shared[kind])
  return table as Table<Kind> // of the same kind
}

/** What a world does with the records of all kinds. */
class DatabaseState {
  /** The records of the scenario. */
  shared: SharedRecords
  readonly #tables: { readonly [Kind in KindName]: Table<Kind> }

  constructor(shared: SharedRecords, collections: Collections) {
    this.shared = shared
    this.#tables = collections
  }

  /** Number of changes to the records of each kind. The same in each copy of the world. */
  get changeCounts(): ChangeCounts {
    return mapKinds<ChangeCounts>((kind) => this.#tables[kind].changeCount)
  }

  /** Discards all changes and continues with the records of a scenario. Takes constant time. */
  restart(shared: SharedRecords): void {
    this.shared = shared
    for (const kind of kindNames) this.#table(kind).restart(shared[kind])
  }

  /** Returns all changes, for `load`. */
  save(): DatabaseChanges {
    return mapKinds<DatabaseChanges>((kind) => this.#tables[kind].save())
  }

  /** Repeats the changes of a world of the same scenario. */
  load(changes: DatabaseChanges): void {
    for (const kind of kindNames) {
      const saved = changes[kind]
      if (saved) this.#table(kind).load(saved)
    }
  }

  /** Sets the number of changes, after `load`. */
  restoreCounts(counts: ChangeCounts): void {
    for (const kind of kindNames) this.#tables[kind].changeCount = counts[kind]
  }

  /** Estimated size of the changes of this world and of its cached lists, in bytes. */
  get bytes(): number {
    return kindNames.reduce((sum, kind) => sum + this.#tables[kind].bytes, 0)
  }

  /** Discards the cached lists of this world. Returns whether there were any. */
  dropLists(): boolean {
    const { bytes } = this
    for (const kind of kindNames) this.#tables[kind].dropList()
    return this.bytes < bytes
  }

  /** Estimates how much a change would add to `bytes`; 0 for one that removes a record. */
  costOf(change: Change): number {
    if (change.type === 'record.removed') return 0
    const { kind, record } = this.#toPut(change)
    return this.#table(kind).costOf(record)
  }

  /**
   * Makes a change. A record with a known id is replaced in place, and others are appended; beyond the
   * limits, the oldest messages are evicted (A23).
   */
  apply(change: Change): void {
    if (change.type === 'record.removed') {
      const table = this.#table(change.kind)
      table.delete(change.id)
      table.changeCount += 1
      return
    }
    const { kind, record } = this.#toPut(change)
    const table = this.#table(kind)
    table.put(record)
    table.changeCount += 1
  }

  /** Undoes the last change. Returns whether that was possible. */
  undo(change: Change): boolean {
    const { pets, messages } = this.#tables
    if (change.type === 'quantity.set') {
      const pet = pets.find(change.petId)
      if (pet) pets.put({ ...pet, quantity: change.from })
      pets.changeCount -= 1
      return true
    }
    if (change.type !== 'message.queued') return false
    messages.delete(change.message.id)
    messages.changeCount -= 1
    return true
  }

  /** Returns the record that a change puts. */
  #toPut(change: Exclude<Change, { readonly type: 'record.removed' }>): Omit<RecordPut, 'type'> {
    switch (change.type) {
      case 'record.put':
        return change
      case 'message.queued':
        return { kind: 'messages', record: change.message }
      case 'quantity.set': {
        const pet = this.#tables.pets.find(change.petId)
        if (!pet) throw createNotFoundProblem('pets', change.petId)
        return { kind: 'pets', record: { ...pet, quantity: change.to } }
      }
    }
  }

  /** Returns a table for records of a kind that is known at run time only. */
  #table(kind: KindName): Table<KindName> {
    return this.#tables[kind] as unknown as Table<KindName> // its records are of the same kind
  }
}
