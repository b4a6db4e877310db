import type { PendingRequest } from '../../../world/journal/entry.js'
import { toRequestFilter } from '../../../world/journal/filter.js'
import type { RequestSource } from '../../../world/journal/requests.js'
import type { ControlResult } from '../../operations.js'
import type { RemoteClient } from './client.js'
import { readEntry } from './entry.js'

type ShownJournal = ControlResult<'getJournal'>

/** The requests of a remote world at one time. */
export interface RequestCopy extends RequestSource {
  /** Id of the latest entry, which may not be retained. 0 if there is none. */
  readonly newestId: number
}

/** Copies the requests of a world. */
export async function readRequests(client: RemoteClient): Promise<RequestCopy> {
  const { capacity, newestId, dropped, codes, ...shown } = await client.send('getJournal')
  const entries = shown.requests.toReversed().map(readEntry)
  const pending = shown.pending.map(readPending)
  return {
    newestId,
    read: () => ({ capacity, entries, pending, dropped }),
    toFilter: (query, owner) => toRequestFilter(query, () => codes, owner),
  }
}

/** Converts a pending request of the control API. */
export function readPending({
  receivedAt,
  operation,
  apiKey,
  ...same
}: ShownJournal['pending'][number]): PendingRequest {
  return {
    ...same,
    receivedAtMs: Date.parse(receivedAt),
    operation: operation ?? undefined,
    apiKey: apiKey ?? undefined,
  }
}
