import { operations } from '../../service/operations/operations.js'
import { toTimestamp } from '../../service/timestamp.js'
import { describeValue } from '../../service/validation/validate.js'
import type { Mismatch } from './compare.js'
import type { JournalView, RecordedEntry } from './entry.js'
import {
  type AsymmetricMatcher,
  isAsymmetricMatcher,
  isObject,
  nameMatcher,
  type RequestFilter,
} from './filter.js'

const shownEntries = 10
const shownCharacters = 200

/** Returns an additional line for an entry, or undefined for none. */
export type EntryNote = (entry: RecordedEntry) => string | undefined

/**
 * Formats at most ten entries with their explanations, oldest first. If there are more, entries
 * with a note are preferred, then the newest.
 */
export function describeEntries(entries: readonly RecordedEntry[], note?: EntryNote): string {
  const newestFirst = entries.toReversed()
  const byPreference = new Set([...newestFirst.filter((entry) => note?.(entry)), ...newestFirst])
  const shown = new Set([...byPreference].slice(0, shownEntries))
  const hidden = entries.length - shown.size
  const lines = entries
    .filter((entry) => shown.has(entry))
    .map((entry) => describeEntry(entry, note?.(entry)))
  if (hidden > 0) lines.unshift(`  (${hidden} more not shown)`)
  return lines.join('\n')
}

function describeEntry(entry: RecordedEntry, note?: string): string {
  const { id, method, path, requestBody, explanation } = entry
  const lines = [...explanation]
  if (requestBody !== undefined) lines.unshift(`body ${shorten(requestBody)}`)
  if (note !== undefined) lines.push(note)
  const firstLine = `  #${id} ${method} ${shorten(path)} → ${describeResponse(entry)}, ${describeOperation(entry)}`
  return [firstLine, ...lines.map((line) => `       ${line}`)].join('\n')
}

function describeResponse({ status, code }: RecordedEntry): string {
  if (status === 0) return 'connection closed'
  return code === undefined ? `${status}` : `${status} ${code}`
}

function describeOperation(entry: RecordedEntry): string {
  const { operation, nearestOperation, isUserHandled } = entry
  if (isUserHandled) return operation === undefined ? 'user handler' : `${operation}, user handler`
  if (operation !== undefined) return operation
  if (nearestOperation === undefined) return 'no operation'
  const { method, path } = operations[nearestOperation]
  return `no operation; nearest is ${nearestOperation}, ${method} ${path}`
}

/** First words of the result of {@link describeReceived} if there are requests. */
export const receivedHeading = 'Requests received by this world'

/** Formats the requests of a journal with a heading, and an optional note for each. */
export function describeReceived(
  { entries, pending }: Pick<JournalView, 'entries' | 'pending'>,
  note?: EntryNote,
): string {
  if (entries.length === 0 && pending.length === 0) {
    return 'This world received no requests. Check that the client sends the API key of this world.'
  }
  const list = entries.length > 0 ? `:\n${describeEntries(entries, note)}` : ''
  const lines = pending.map(
    ({ method, path, operation = 'no operation' }) =>
      `\n  ${method} ${shorten(path)}, ${operation}`,
  )
  const waiting = pending.length > 0 ? `\n\nPending requests:${lines.join('')}` : ''
  return `${receivedHeading} (${entries.length})${list}${waiting}`
}

/**
 * Describes a wait that timed out.
 *
 * @param wait What it waited for, and the number of matching requests that were received.
 * @param requests Describes the received requests.
 */
export function describeWait(
  wait: { filter: RequestFilter; atLeast: number; count: number; timeoutMs: number },
  requests: string,
): string {
  const { filter, atLeast, count, timeoutMs } = wait
  const received = atLeast === 1 ? 'none' : `${count} of ${atLeast}`
  return `waited ${timeoutMs} ms for ${describeFilter(filter)}, but received ${received}.\n\n${requests}`
}

/** Describes a filter: `updateInventory with status 200 and body {"quantity":5}`. */
export function describeFilter(filter: RequestFilter): string {
  const { operation, unmatched, sinceMs } = filter
  const subject = operation ?? (unmatched ? 'a request without an operation' : 'a request')
  const conditions = (['method', 'path', 'status', 'code'] as const)
    .filter((name) => filter[name] !== undefined)
    .map((name) => `${name} ${formatValue(filter[name])}`)
  if (sinceMs !== undefined) conditions.push(`a time of ${toTimestamp(sinceMs)} or later`)
  for (const name of ['query', 'headers', 'body'] as const) {
    if (filter[name] !== undefined) conditions.push(`${name} ${formatWanted(filter[name])}`)
  }
  return conditions.length === 0 ? subject : `${subject} with ${conditions.join(' and ')}`
}

/** Describes why an entry does not match: `status is 400, wanted 200`. */
export function describeMismatch({ name, found, wanted, isUnknown }: Mismatch): string {
  if (isUnknown) return `the journal does not have the whole ${name}`
  const isPart = /^(?:query|headers|body)/.test(name)
  const format = isPart ? describeValue : formatValue
  const shown = isObject(wanted) ? shorten(formatWanted(wanted)) : format(wanted)
  if (!isPart) return `${name} is ${found ?? 'none'}, wanted ${shown}`
  return `${name} is ${found === undefined ? 'missing' : describeValue(found)}, wanted ${shown}`
}

/** Formats an expected string or number without quotation marks. */
function formatValue(wanted: unknown): string {
  return isAsymmetricMatcher(wanted) ? formatWanted(wanted) : String(wanted)
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** Formats an expected value as JSON, with bigints, matchers, and fields that are undefined. */
function formatWanted(wanted: unknown): string {
  if (isAsymmetricMatcher(wanted)) return formatMatcher(wanted)
  if (typeof wanted === 'bigint') return `${wanted}n`
  if (wanted instanceof RegExp) return String(wanted)
  if (Array.isArray(wanted)) return `[${wanted.map(formatWanted).join()}]`
  if (!isObject(wanted)) return JSON.stringify(wanted) ?? String(wanted)
  const fields = Object.entries(wanted).map(
    ([name, field]) => `${JSON.stringify(name)}:${formatWanted(field)}`,
  )
  return `{${fields.join()}}`
}

/** Formats a matcher with what it compares: `Any<Number>`, `StringMatching /^\/inv/`. */
function formatMatcher(matcher: AsymmetricMatcher): string {
  const name = nameMatcher(matcher)
  const sample: unknown = Reflect.get(matcher, 'sample')
  const isComplete = sample === undefined || typeof sample === 'function' || /\W/.test(name)
  return isComplete ? name : `${name} ${formatWanted(sample)}`
}
