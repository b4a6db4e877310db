/** A state of a stored world. */
export interface Version {
  /** Differs between worlds that were created separately under one id: a random string. */
  readonly lineage: string
  /** Number of records appended since the world was created. */
  readonly number: number
}

/** A stored world. */
export interface StoredWorld {
  readonly version: Version
  /** The latest snapshot. Undefined until the first `compact`: the records start from number 1. */
  readonly base: StoredBase | undefined
  /**
   * The retained records, oldest first. The last one has the number of `version`. Contains every
   * record after the base; records up to the base are retained for their journal entries.
   */
  readonly records: readonly string[]
  /**
   * Whether the store has removed later records, or all, because it could not read them. Only the
   * load that removes them says so.
   */
  readonly isTruncated?: boolean | undefined
}

/** A snapshot of a world. */
export interface StoredBase {
  /** Number of the last record that the snapshot includes. */
  readonly number: number
  readonly data: string
}

/** A record that another process has appended. */
export interface AppendedRecord {
  /** The version with the record. */
  readonly version: Version
  readonly record: string
}

/** Result of `append` and `readSince`. */
export type SinceResult =
  /** The expected version is the stored one. `append` has stored the record with the next number. */
  | { readonly type: 'current' }
  /** Other replicas have appended these records after the expected version. Nothing was stored. */
  | { readonly type: 'behind'; readonly records: readonly string[] }
  /**
   * The records after the expected version are not available: the world was removed, or created
   * anew, or its records are compacted. Nothing was stored. `load` returns the current state.
   */
  | { readonly type: 'lost' }

/**
 * Stores worlds outside the memory of the process: each as a snapshot and the records of the
 * requests since. Ids, records and snapshots are strings, which the store does not interpret.
 *
 * Every method but `follow` and `close` rejects with a {@link StoreError} if the store cannot be
 * reached.
 */
export interface Store {
  /** The kind of the store, for messages: `directory`. */
  readonly kind: string
  /** Location of the store without credentials, for messages. */
  readonly location: string
  /**
   * Whether no other process appends to the store. Then `append` may be called again before it has
   * resolved; the store writes the records in the order of the calls.
   */
  readonly isExclusive: boolean
  /** Maximum number of requests that a snapshot contains for reports. Default: all. */
  readonly maximumFacts?: number | undefined

  /** Returns a world; undefined if it does not exist. */
  load(id: string): Promise<StoredWorld | undefined>

  /**
   * Stores a record if the world still has the expected version. The number 0 creates the world
   * with its lineage, if it does not exist. Once the promise is resolved with `current`, the record
   * is not lost if the process ends.
   */
  append(id: string, expected: Version, record: string): Promise<SinceResult>

  /** Returns the records that were appended after a version. */
  readSince(id: string, version: Version): Promise<SinceResult>

  /**
   * Replaces the snapshot of a world, and removes the records that are neither after it nor among
   * the last `retained` ones. Does nothing if the world has another lineage or a later snapshot.
   *
   * @param version The version of the snapshot.
   * @param retained Number of records up to the snapshot that are kept.
   */
  compact(id: string, version: Version, data: string, retained: number): Promise<void>

  /**
   * Calls the listener soon after a process has appended to a world, with the record if the store
   * passes it on. Calls may be missing or superfluous while the store cannot be reached. Returns a
   * function that removes the listener.
   */
  follow(id: string, listener: FollowListener): () => void

  /** Removes a world. */
  remove(id: string): Promise<void>

  /** Returns the ids of the stored worlds. */
  list(): Promise<string[]>

  /** Stores a document, which is never changed or removed. */
  saveDocument(id: string, data: string): Promise<void>

  /** Returns a document; undefined if it does not exist. */
  loadDocument(id: string): Promise<string | undefined>

  /** Resolves if the store can be reached. */
  check(): Promise<void>

  /** Completes the writes in progress and releases all resources. */
  close(): Promise<void>
}

/** Receives a record that was appended. Undefined if the world may have changed otherwise. */
export type FollowListener = (appended: AppendedRecord | undefined) => void

/** A store cannot be opened or reached. The message names the store and the reason. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
