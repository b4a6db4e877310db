import {
  describeReceived,
  type JournalEntry,
  type JournalView,
  type PendingRequest,
  type RecordedEntry,
  toJournalEntry,
} from '../../world/journal/entry.js'
import { type RequestQuery, toRequestFilter } from '../../world/journal/filter.js'
import {
  countRequests,
  findRequests,
  type Requests,
  type WaitOptions,
  waitForRequest,
} from '../../world/journal/requests.js'
import type { ControlClient } from '../client/client.js'
import type { ControlResult } from '../operations.js'
import { readEntry } from './entry.js'
import type { RemoteFeed } from './feed.js'
import { copyJournal, type Remote, type RemoteSource } from './mapped.js'

/** The requests that a remote world received: the methods of `Requests`, which return promises. */
export type RemoteRequests = Remote<
  Requests,
  'find' | 'count' | 'unmatched' | 'pending' | 'clear' | 'waitFor'
>

export function createRemoteRequests(
  client: ControlClient,
  feed: RemoteFeed,
): RemoteRequests & RemoteSource {
  const find: RemoteRequests['find'] = async (query = {}, conditions = {}) => {
    const journal = await readJournal(client)
    return findRequests(journal, toRequestFilter(query, journal.codes, conditions))
  }
  return {
    find,
    async count(query = {}, conditions = {}) {
      const journal = await readJournal(client)
      return countRequests(journal, toRequestFilter(query, journal.codes, conditions))
    },
    unmatched: () => find({ unmatched: true }),
    async pending() {
      const { pending } = await client.send('getJournal', { query: { limit: 0 } })
      return pending.map(readPending)
    },
    async clear() {
      await client.send('clearRequests')
    },
    waitFor: (query = {}, options = {}) => waitFor(client, feed, query, options),
    [copyJournal]: () => readJournal(client),
  }
}

/** Reads the journal of a remote world, and follows its event stream until a request matches. */
function waitFor(
  client: ControlClient,
  feed: RemoteFeed,
  query: RequestQuery,
  options: WaitOptions,
): Promise<JournalEntry> {
  // The sandbox knows the codes of its faults.
  const anyCode = typeof query === 'object' && typeof query?.code === 'string' ? [query.code] : []
  const filter = toRequestFilter(query, anyCode)
  /** The entries so far. Undefined until the journal has been read. */
  let entries: RecordedEntry[] | undefined
  const describe = () =>
    entries
      ? describeReceived({ entries, pending: [] })
      : 'The sandbox did not send its journal in this time.'
  const matched = waitForRequest(filter, options, describe, (see, fail) => {
    const arrived: RecordedEntry[] = []
    /** Id of the latest entry in the journal. The feed can pass on this entry and earlier ones later. */
    let newestId = 0
    const onEntry = (entry: RecordedEntry) => {
      if (!entries) arrived.push(entry)
      else if (entry.id > newestId) {
        entries.push(entry)
        see({ entries: [entry] })
      }
    }
    const onRestart = () => {
      newestId = 0
    }
    const listening = feed.listen({ onEntry, onRestart, onError: fail })
    const start = async () => {
      await listening
      const journal = await readJournal(client)
      toRequestFilter(query, journal.codes)
      entries = [...journal.entries]
      newestId = journal.newestId
      see({ ...journal, pending: [] })
      for (const entry of arrived) onEntry(entry)
    }
    start().catch(fail)
    return () => void listening.then((stop) => stop(), fail)
  })
  return matched.then(toJournalEntry)
}

type ShownJournal = ControlResult<'getJournal'>

/** The journal of a remote world at one time. */
interface JournalCopy extends JournalView {
  /** Id of the latest entry, which may not be retained. 0 if there is none. */
  readonly newestId: number
}

/** Copies the journal of a world. */
async function readJournal(client: ControlClient): Promise<JournalCopy> {
  const { requests, ...shown } = await client.send('getJournal')
  const entries = requests.toReversed().map(readEntry)
  return { ...shown, entries, pending: shown.pending.map(readPending) }
}

/** Converts a pending request of the control API. */
function readPending({
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
