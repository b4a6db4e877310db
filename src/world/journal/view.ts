import type { RequestFilter, RequestQuery } from './filter.js'
import type { EntryCount, PendingRequest, RecordedEntry } from './journal.js'

/** What an assertion reads of a journal: the journal itself, or a copy of that of a remote world. */
export interface JournalView {
  readonly capacity: number
  /** Number of retained entries. */
  readonly size: number
  /** Largest `atMs` of the dropped entries. Infinity if it is not known. */
  readonly latestDroppedMs: number
  readonly counts: { list(): readonly EntryCount[] }
  readonly pending: { keys(): Iterable<PendingRequest> }
  /** Returns the retained entries, oldest first. */
  entries(): readonly RecordedEntry[]
}

/** The requests of a world, as an assertion reads them. */
export interface RequestSource {
  readonly journal: JournalView
  /**
   * Converts a query to a filter.
   *
   * @param owner What the messages name. Default: `the filter`.
   * @throws {TypeError} If the operation, a code or a field of the filter is unknown or invalid.
   */
  toFilter(query: RequestQuery, owner?: string): RequestFilter
}

/**
 * Name of the method of `requests` of a remote handle that copies them. The symbol is global, because
 * entry points do not share their modules.
 */
export const copyRequests: unique symbol = Symbol.for('petstore-sandbox.remote')

/** The `requests` of a remote handle. */
export interface RemoteSource {
  [copyRequests](): Promise<RequestSource>
}
