import type { JournalView, PendingRequest } from '../../../world/journal/entry.js'
import type { ControlResult } from '../../operations.js'
import type { RemoteClient } from './client.js'
import { readEntry } from './entry.js'

type ShownJournal = ControlResult<'getJournal'>

/** The journal of a remote world at one time. */
interface JournalCopy extends JournalView {
  /** Id of the latest entry, which may not be retained. 0 if there is none. */
  readonly newestId: number
}

/** Copies the journal of a world. */
export async function readJournal(client: RemoteClient): Promise<JournalCopy> {
  const { requests, ...shown } = await client.send('getJournal')
  const entries = requests.toReversed().map(readEntry)
  return { ...shown, entries, pending: shown.pending.map(readPending) }
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
