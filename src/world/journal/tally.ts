import { explainMismatch, matches, type RequestFilter } from './filter.js'
import { type EntryCount, isCountedAs, type RecordedEntry } from './journal.js'
import { type JournalEntry, toJournalEntry } from './parts.js'
import type { JournalView } from './view.js'

/**
 * Returns the retained requests that match a filter, oldest first.
 *
 * @throws {Error} If the journal does not have what the filter compares.
 */
export function findRequests(journal: JournalView, filter: RequestFilter): JournalEntry[] {
  return journal
    .entries()
    .filter((entry) => matches(entry, filter))
    .map(toJournalEntry)
}

/** How many requests match a filter. */
export interface Tally {
  /** The retained entries that match. */
  readonly found: readonly RecordedEntry[]
  /** Number of requests that match, including those that the journal has dropped. */
  readonly certain: number
  /** Number of requests that may match. At least `certain`. */
  readonly possible: number
  /** Why `possible` is larger. */
  readonly doubts: readonly string[]
}

/** Counts the requests that match a filter. */
export function tally(journal: JournalView, filter: RequestFilter): Tally {
  const entries = journal.entries()
  const found: RecordedEntry[] = []
  const doubts: string[] = []
  for (const entry of entries) {
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch) found.push(entry)
    else if (!mismatch.isCertain) doubts.push(`entry #${entry.id}: ${mismatch.reason}`)
  }
  const dropped = countDropped(journal, entries, filter)
  const uncertain = doubts.length
  if (dropped.doubtful > 0) doubts.push(describeDropped(journal, dropped.doubtful))
  const certain = found.length + dropped.matching
  return { found, certain, possible: certain + uncertain + dropped.doubtful, doubts }
}

/** Fields of a filter that can be compared with a request that has no response yet. */
const pendingFields = new Set(['operation', 'method', 'path'])

/**
 * Returns the number of requests without a response that match a filter. 0 if the filter has
 * conditions on other fields.
 */
export function countPending({ pending }: JournalView, filter: RequestFilter): number {
  const conditions = Object.entries(filter).filter(([, wanted]) => wanted !== undefined)
  if (!conditions.every(([name]) => pendingFields.has(name))) return 0
  const matching = [...pending.keys()].filter(
    (request) => !explainMismatch({ ...noEntry, ...request }, filter),
  )
  return matching.length
}

/**
 * Returns the number of requests that match a filter.
 *
 * @throws {Error} If it is not certain.
 */
export function countRequests(journal: JournalView, filter: RequestFilter): number {
  const { certain, possible, doubts } = tally(journal, filter)
  if (possible > certain) throw createDoubtError('cannot count the requests', doubts)
  return certain
}

/** The requests so far that match a filter. */
export interface Matched {
  /** Number of matching requests, including those that the journal has dropped. */
  readonly count: number
  /** The last of the wanted number of requests. Undefined if there are fewer. */
  readonly last: RecordedEntry | undefined
}

/**
 * Searches for a number of requests that match a filter.
 *
 * @throws {Error} If there may be as many, or the journal has dropped the last of them.
 */
export function findMatched(journal: JournalView, filter: RequestFilter, times: number): Matched {
  const { found, certain, possible, doubts } = tally(journal, filter)
  const dropped = certain - found.length
  const nth = found[Math.max(0, times - 1 - dropped)]
  if (nth && certain >= times) return { count: certain, last: nth }
  if (possible < times) return { count: certain, last: undefined }
  const reasons = certain >= times ? ['its journal has dropped the entry'] : doubts
  throw createDoubtError('cannot wait for the request', reasons)
}

const shownDoubts = 3

/** Creates the error of a question that the journal cannot answer. */
export function createDoubtError(sentence: string, doubts: readonly string[]): Error {
  const shown = doubts.slice(-shownDoubts)
  const hidden = doubts.length - shown.length
  const more = hidden > 0 ? `; and ${hidden} more` : ''
  return new Error(`${sentence}: ${shown.join('; ')}${more}`)
}

/** Returns the number of dropped entries that match, and of those that may. */
function countDropped(
  journal: JournalView,
  entries: readonly RecordedEntry[],
  filter: RequestFilter,
): { matching: number; doubtful: number } {
  const sum = { matching: 0, doubtful: 0 }
  for (const { entry, count } of listDropped(journal, entries)) {
    const mismatch = explainMismatch(entry, filter)
    if (!mismatch) sum.matching += count
    else if (!mismatch.isCertain) sum.doubtful += count
  }
  return sum
}

/** Whether the journal has dropped an entry that matches a filter, or may. */
export function mayHaveDropped(journal: JournalView, filter: RequestFilter): boolean {
  const { matching, doubtful } = countDropped(journal, journal.entries(), filter)
  return matching + doubtful > 0
}

interface DroppedEntries {
  /** An entry with the fields that they have in common. The others are incomplete. */
  readonly entry: RecordedEntry
  readonly count: number
}

/** Returns what is known of the entries that the journal has dropped. */
function listDropped(
  { counts, latestDroppedMs }: JournalView,
  entries: readonly RecordedEntry[],
): readonly DroppedEntries[] {
  const all = counts.list()
  const separate = all.filter(({ isMixed }) => !isMixed)
  const retained = new Map<EntryCount | undefined, number>()
  for (const entry of entries) {
    const found = separate.find((count) => isCountedAs(entry, count))
    retained.set(found, (retained.get(found) ?? 0) + 1)
  }
  return all
    .map((each) => {
      const kept = retained.get(each.isMixed ? undefined : each) ?? 0
      return { entry: toEntry(each, latestDroppedMs), count: each.count - kept }
    })
    .filter(({ count }) => count > 0)
}

const uncounted = ['path', 'query', 'requestHeaders', 'requestBody', 'responseBody', 'atMs']
const counted = ['operation', 'method', 'status', 'code']

/** An entry of which nothing is known. */
const noEntry: RecordedEntry = {
  id: 0,
  requestId: '',
  atMs: 0,
  durationMs: 0,
  environment: 'production',
  address: undefined,
  method: '…',
  path: '…',
  query: '',
  operation: undefined,
  isUserHandled: false,
  nearestOperation: undefined,
  apiKey: undefined,
  requestHeaders: [],
  requestBody: undefined,
  status: 0,
  aborted: false,
  code: undefined,
  responseHeaders: [],
  responseBody: undefined,
  explanation: [],
  changes: [],
}

function toEntry(each: EntryCount, latestDroppedMs: number): RecordedEntry {
  const { operation, method, status, code, isUserHandled, isMixed = false } = each
  return {
    ...noEntry,
    atMs: Math.min(each.latestMs, latestDroppedMs),
    method: isMixed ? '…' : method,
    operation,
    isUserHandled,
    status,
    code,
    incomplete: isMixed ? [...counted, ...uncounted] : uncounted,
  }
}

/** States how many entries a journal has dropped, and how to retain them. */
export function describeDropped(journal: JournalView, matching?: number): string {
  const { capacity, size, counts } = journal
  const total = counts.list().reduce((sum, { count }) => sum + count, 0)
  const dropped = `the journal has dropped ${total - size} of ${total} entries`
  const which = matching === undefined ? '' : `, of which ${matching} may match`
  const advice =
    size < capacity
      ? 'to retain more, raise maxWorldMemory; a journal uses a quarter of it'
      : `it retains ${capacity}; to retain more, raise journalCapacity, for example createSandbox({ journalCapacity: 10_000 })`
  return `${dropped}${which}; ${advice}`
}
