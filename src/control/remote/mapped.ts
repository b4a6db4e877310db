import type { JournalView } from '../../world/journal/entry.js'

/**
 * Some members of an object in this process, as a remote handle has them: methods with the same
 * parameters that return promises, and properties that are promises.
 */
export type Remote<T, Name extends keyof T> = {
  readonly [Member in Name]: T[Member] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Promise<T[Member]>
}

/**
 * Inherits the members, so that printing or comparing a handle does not read its properties: each sends
 * a request.
 */
export function hideMembers<Members extends object>(members: Members): Members {
  return Object.create(members)
}

/**
 * Name of the method of `requests` of a remote handle that copies its journal. The symbol is global, because
 * entry points do not share their modules.
 */
export const copyJournal: unique symbol = Symbol.for('petstore-sandbox.remote')

/** The `requests` of a remote handle. */
export interface RemoteSource {
  [copyJournal](): Promise<JournalView>
}
