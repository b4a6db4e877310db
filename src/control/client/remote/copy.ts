import { toRequestFilter } from '../../../world/journal/filter.js'
import type { EntryCount, PendingRequest } from '../../../world/journal/journal.js'
import type { JournalView, RequestSource } from '../../../world/journal/view.js'
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
  const shown = await client.send('getJournal')
  return {
    newestId: shown.newestId,
    journal: toJournal(shown),
    toFilter: (query, owner) => toRequestFilter(query, shown.codes, owner),
  }
}

function toJournal({ capacity, retained, latestDroppedAt, ...shown }: ShownJournal): JournalView {
  const entries = shown.requests.toReversed().map(readEntry)
  const counts = shown.counts.map(readCount)
  return {
    capacity,
    size: retained,
    latestDroppedMs: latestDroppedAt ? Date.parse(latestDroppedAt) : Number.POSITIVE_INFINITY,
    counts: { list: () => counts },
    pending: new Set(shown.pending.map(readPending)),
    entries: () => entries,
  }
}

function readCount({
  operation,
  code,
  userHandled,
  mixed,
  latestAt,
  ...same
}: ShownJournal['counts'][number]): EntryCount {
  return {
    ...same,
    operation: operation ?? undefined,
    code: code ?? undefined,
    isUserHandled: userHandled,
    isMixed: mixed,
    latestMs: Date.parse(latestAt),
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
