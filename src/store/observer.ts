import type { FollowListener, SinceResult, Store, StoredWorld, Version } from './store.js'

/** Receives measurements of a store. */
export interface StoreObserver {
  /**
   * Called after each operation of the store, also after one that failed.
   *
   * @param operation Name of the method of the store: `append`.
   * @param error Why it failed. Undefined if it succeeded.
   */
  observeStore(operation: string, seconds: number, error?: unknown): void
  /** Called each time a request is executed again, because another replica has changed its world. */
  countConflict(): void
}

/** A store that reports the duration of its operations. */
export class ObservedStore implements Store {
  readonly kind: string
  readonly location: string
  readonly isExclusive: boolean
  readonly maximumFacts: number | undefined

  /** @param monotonic Returns monotonic milliseconds. */
  constructor(
    readonly store: Store,
    readonly observer: StoreObserver,
    readonly monotonic: () => number,
  ) {
    this.kind = store.kind
    this.location = store.location
    this.isExclusive = store.isExclusive
    this.maximumFacts = store.maximumFacts
  }

  load(id: string): Promise<StoredWorld | undefined> {
    return this.#measure('load', this.store.load(id))
  }

  append(id: string, expected: Version, record: string): Promise<SinceResult> {
    return this.#measure('append', this.store.append(id, expected, record))
  }

  readSince(id: string, version: Version): Promise<SinceResult> {
    return this.#measure('readSince', this.store.readSince(id, version))
  }

  compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    return this.#measure('compact', this.store.compact(id, version, data, retained))
  }

  follow(id: string, listener: FollowListener): () => void {
    return this.store.follow(id, listener)
  }

  remove(id: string): Promise<void> {
    return this.#measure('remove', this.store.remove(id))
  }

  list(): Promise<string[]> {
    return this.#measure('list', this.store.list())
  }

  saveDocument(id: string, data: string): Promise<void> {
    return this.#measure('saveDocument', this.store.saveDocument(id, data))
  }

  loadDocument(id: string): Promise<string | undefined> {
    return this.#measure('loadDocument', this.store.loadDocument(id))
  }

  check(): Promise<void> {
    return this.#measure('check', this.store.check())
  }

  close(): Promise<void> {
    return this.store.close()
  }

  async #measure<Result>(operation: string, outcome: Promise<Result>): Promise<Result> {
    const startedAt = this.monotonic()
    const measure = (error?: unknown) =>
      this.observer.observeStore(operation, (this.monotonic() - startedAt) / 1000, error)
    try {
      const result = await outcome
      measure()
      return result
    } catch (error) {
      measure(error)
      throw error
    }
  }
}
