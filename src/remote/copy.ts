import type { ControlResult } from '../control/operations.js'
import { toRequestFilter } from '../world/journal/filter.js'
import type { EntryCount, PendingRequest } from '../world/journal/journal.js'
import type { JournalView, RequestSource } from '../world/journal/view.js'
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

function readCount(shown: ShownJournal['counts'][number]): EntryCount {
  return {
    operation: shown.operation ?? undefined,
    method: shown.method,
    status: shown.status,
    code: shown.code ?? undefined,
    isUserHandled: shown.userHandled,
    isMixed: shown.mixed,
    count: shown.count,
    latestMs: Date.parse(shown.latestAt),
  }
}

/** Converts a pending request of the control API. */
export function readPending(shown: ShownJournal['pending'][number]): PendingRequest {
  return {
    receivedAtMs: Date.parse(shown.receivedAt),
    address: shown.address,
    method: shown.method,
    path: shown.path,
    operation: shown.operation ?? undefined,
    apiKey: shown.apiKey ?? undefined,
  }
}
