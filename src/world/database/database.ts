import type { Change } from '../../service/operations/operation.js'
import {
  createNotFoundProblem,
  kindNames,
  mapKinds,
  type Records,
  recordKinds,
  type WritableKind,
} from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import { passTurn } from '../../service/timers.js'
import { Collection } from './collection.js'
import { removedBytes, Table, type TableChanges } from './table.js'

/** The records of a scenario by kind, loaded once and shared by its worlds. They never change. */
export type SharedRecords = { readonly [Kind in KindName]: Table<Kind> }

/** Number of records that are loaded without a pause: 10 ms (measured). */
const pauseRecords = 1_000

/**
 * Loads the records of a scenario; of the messages, only the newest, which a world retains. Copies the
 * objects. Lets other requests run while it loads many.
 */
export async function shareRecords(records: Records): Promise<SharedRecords> {
  const shared = mapKinds<SharedRecords>((kind) => new Table(kind))
  for (const kind of kindNames) {
    const table: Table<KindName> = shared[kind]
    for (const [index, record] of records[kind].entries()) {
      table.put(record)
      if (index % pauseRecords === pauseRecords - 1) await passTurn()
    }
  }
  return shared
}

/** Returns a copy of the records of a scenario or of a world. */
export function listRecords(tables: SharedRecords): Records {
  return mapKinds<Records>((kind) => tables[kind].list())
}

/** The changes of a world to the records of its scenario, in the form of JSON. */
export type DatabaseChanges = { readonly [Kind in KindName]?: TableChanges<Kind> | undefined }

/** Number of changes to the records of each kind. */
export type ChangeCounts = { readonly [Kind in KindName]: number }

const noChanges = mapKinds<ChangeCounts>(() => 0)

/** The kind of record of the changes that have no field `kind`. */
const kinds = { 'quantity.set': 'pets', 'message.queued': 'messages' } as const

/** The records of a world by kind. */
export type Collections = {
  readonly [Kind in KindName]: Kind extends WritableKind ? Collection<Kind> : Table<Kind>
}

/** The records of a world by kind, for a kind that is known at run time only. */
type Tables = Readonly<Record<KindName, Table<KindName>>>

/** The data of a world: a collection for each kind of record, such as `db.pets`. */
export type Database = Collections & DatabaseState

/**
 * Creates the data of a world.
 *
 * @param apply Executes a change of the world.
 */
export function createDatabase(shared: SharedRecords, apply: (change: Change) => void): Database {
  return new DatabaseState(shared, apply) as Database // it has the collections as properties
}

/** The operations of a world on the records of all kinds. */
class DatabaseState {
  /** Number of changes since the world started. The same in each copy of the world. @internal */
  changeCounts = noChanges
  /** Estimated size of the changes of this world and of its cached lists, in bytes. @internal */
  bytes = 0
  readonly #tables: Tables

  /** @internal */
  constructor(
    /** The records of the scenario. @internal */ public shared: SharedRecords,
    apply: (change: Change) => void,
  ) {
    this.#tables = mapKinds<Tables>((kind) =>
      'notFound' in recordKinds[kind]
        ? new Collection(shared[kind as WritableKind], this, apply)
        : new Table(kind, shared[kind], this),
    )
    Object.assign(this, this.#tables)
  }

  /**
   * Discards all changes and continues with the records of a scenario. Takes constant time.
   *
   * @internal
   */
  restart(shared: SharedRecords): void {
    this.shared = shared
    this.changeCounts = noChanges
    for (const kind of kindNames) this.#tables[kind].restart(shared[kind])
  }

  /** Returns all changes, for `load`. @internal */
  save(): DatabaseChanges {
    return mapKinds<DatabaseChanges>((kind) => this.#tables[kind].save())
  }

  /** Applies the saved changes of a world of the same scenario. @internal */
  load(changes: DatabaseChanges): void {
    for (const kind of kindNames) {
      const saved = changes[kind]
      if (saved) this.#tables[kind].load(saved)
    }
  }

  /** Discards the cached lists of this world. Returns whether there were any. @internal */
  dropLists(): boolean {
    const { bytes } = this
    for (const kind of kindNames) this.#tables[kind].dropList()
    return this.bytes < bytes
  }

  /** Estimates how much a change would add to `bytes`, at most. @internal */
  costOf(change: Change): number {
    if (change.type === 'quantity.set') return this.#tables.pets.costOfSet(change.petId)
    if (change.type === 'message.queued') return this.#tables.messages.costOf(change.message)
    if (change.type === 'record.removed') return removedBytes
    return this.#tables[change.kind].costOf(change.record)
  }

  /**
   * Makes a change. A record with a known id is replaced in place, and others are appended; beyond the
   * limits, the oldest messages are evicted (A23).
   *
   * @internal
   * @throws {Problem} pet_not_found, if the quantity of an unknown pet is set.
   */
  apply(change: Change): void {
    const kind = 'kind' in change ? change.kind : kinds[change.type]
    const table = this.#tables[kind]
    if (change.type === 'quantity.set') {
      const isKnown = table.set(change.petId, { quantity: change.to })
      if (!isKnown) throw createNotFoundProblem('pets', change.petId)
    } else if (change.type === 'record.removed') table.delete(change.id)
    else table.put(change.type === 'record.put' ? change.record : change.message)
    this.changeCounts = { ...this.changeCounts, [kind]: this.changeCounts[kind] + 1 }
  }
}
