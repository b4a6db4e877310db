/** A state of a stored world. */
export interface Version {
  /** A random string, which differs between worlds that were created separately under one id. */
  readonly lineage: string
  /** Number of the last step. Steps are numbered from 1, without a gap. */
  readonly number: number
}

/** A stored world. */
export interface StoredWorld {
  readonly version: Version
  /**
   * The latest base: the state after the step with a number. Undefined if there is none, or it cannot be
   * read.
   */
  readonly base: { readonly number: number; readonly data: string } | undefined
  /**
   * The retained steps, oldest first; the last one has the number of `version`. Contains every step
   * after the base. Steps up to the base are retained for their journal entries. A step that is
   * missing or cannot be read is undefined.
   */
  readonly steps: readonly (string | undefined)[]
  /**
   * Milliseconds since the last append, on the clock of the store. Undefined if this is the clock of
   * the machine.
   */
  readonly ageMs?: number | undefined
}

/** A step to append. */
export interface NewStep {
  readonly step: string
  /** The state after the step, which replaces the base. */
  readonly base?: string | undefined
  /** Number of steps up to a new base that are kept, this one included. Default: 1. */
  readonly retained?: number | undefined
}

/**
 * Stores worlds outside the memory of the process, each as a base and the steps after it. Steps and
 * bases are strings, which the store does not interpret. Ids consist of ASCII letters, digits, `+`, `-`
 * and `/`.
 *
 * Every method but `follow` and `close` rejects with a {@link StoreError} if the store cannot be
 * reached.
 */
export interface Store {
  /** The kind of the store, for messages: `directory`. */
  readonly kind: string
  /** Location of the store without credentials, for messages. */
  readonly location: string
  /** Maximum number of requests that a base contains for reports. Default: all. */
  readonly maximumFacts?: number | undefined

  /** Returns a world; undefined if it does not exist. */
  load(id: string): Promise<StoredWorld | undefined>

  /**
   * Stores a step with the next number, and returns true, if the world still has the expected version.
   * The number 0 creates the world with its lineage, if it does not exist. When the promise resolves,
   * the step survives the end of the process. The next step of a world is appended after the promise is
   * settled.
   */
  append(id: string, expected: Version, added: NewStep): Promise<boolean>

  /** Removes all worlds except some. */
  removeOthers(ids: readonly string[]): Promise<void>

  /** Stores the seed of a scenario, unless it is stored. It is never changed or removed. */
  saveSeed(id: string, read: () => string): Promise<void>

  /** Returns a seed; undefined if it does not exist. */
  loadSeed(id: string): Promise<string | undefined>

  /** Resolves if the store can be written. */
  check(): Promise<void>

  /** Completes the writes in progress and releases all resources. */
  close(): Promise<void>

  /**
   * Returns a world with only the steps that other replicas have appended after a version, and without
   * the base. Undefined if they are not available: the world was removed, or created anew, or a base
   * has replaced them. Absent in a store that only one process uses at a time.
   */
  readSince?(id: string, version: Version): Promise<StoredWorld | undefined>

  /**
   * Calls the listener after each append of a replica to a world, and whenever appends may have been
   * missed. Returns a function that removes the listener. Present if `readSince` is present.
   */
  follow?(id: string, listener: () => void): () => void
}

/** A store cannot be opened or reached. The message names the store and the reason. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
