import type { Journal, JournalEntry } from '../world/journal.js'

/** Which calls are meant; what is not given is not looked at. */
export interface CallFilter {
  readonly operation?: string
  readonly status?: number
  readonly method?: string
  /** Milliseconds since 1970 on the world's clock. */
  readonly sinceMs?: number
  /** Whether no operation matched. */
  readonly unmatched?: boolean
  /** What the request's JSON body holds: every given field, as deep as it goes. */
  readonly body?: unknown
}

/** The calls in the journal that a filter means, oldest first. */
export function findCalls(journal: Journal, filter: CallFilter = {}): JournalEntry[] {
  return journal.entries().filter((entry) => isMeant(entry, filter))
}

/** Whether a filter means a call. */
export function isMeant(entry: JournalEntry, filter: CallFilter): boolean {
  const { operation, status, method, sinceMs, unmatched, body } = filter
  if (operation !== undefined && entry.operation !== operation) return false
  if (status !== undefined && entry.status !== status) return false
  if (method !== undefined && entry.method !== method) return false
  if (sinceMs !== undefined && entry.atMs < sinceMs) return false
  if (unmatched !== undefined && (entry.operation === undefined) !== unmatched) return false
  return body === undefined || holds(parse(entry.requestBody), body)
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a value has all that is wanted of it; of arrays every entry counts. */
function holds(value: unknown, wanted: unknown): boolean {
  if (Object.is(value, wanted)) return true
  if (typeof value !== 'object' || value === null) return false
  if (typeof wanted !== 'object' || wanted === null) return false
  if (Array.isArray(value) !== Array.isArray(wanted)) return false
  if (Array.isArray(value) && Array.isArray(wanted) && value.length !== wanted.length) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(wanted).every(
    ([name, one]) => fields.has(name) && holds(fields.get(name), one),
  )
}
