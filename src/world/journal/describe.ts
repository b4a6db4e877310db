import { operations } from '../../operations/operations.js'
import type { JournalEntry } from './journal.js'

const shownEntries = 10
const shownCharacters = 200

/** Returns an additional line for an entry, or undefined for none. */
export type EntryNote = (entry: JournalEntry) => string | undefined

/**
 * Formats at most ten entries with their explanations, oldest first. If there are more, entries
 * with a note are preferred, then the newest.
 */
export function describeEntries(entries: readonly JournalEntry[], note?: EntryNote): string {
  const shown = selectEntries(entries, note)
  const hidden = entries.length - shown.size
  const lines = entries
    .filter((entry) => shown.has(entry))
    .map((entry) => describeEntry(entry, note?.(entry)))
  if (hidden > 0) lines.unshift(`  (${hidden} more not shown)`)
  return lines.join('\n')
}

function selectEntries(
  entries: readonly JournalEntry[],
  note?: EntryNote,
): ReadonlySet<JournalEntry> {
  const newestFirst = entries.toReversed()
  const withNote = newestFirst.filter((entry) => note?.(entry) !== undefined)
  return new Set([...new Set([...withNote, ...newestFirst])].slice(0, shownEntries))
}

function describeEntry(entry: JournalEntry, note?: string): string {
  const { id, method, path, requestBody, explanation } = entry
  const lines = [...explanation]
  if (requestBody !== undefined) lines.unshift(`body ${shorten(requestBody)}`)
  if (note !== undefined) lines.push(note)
  const firstLine = `  #${id} ${method} ${shorten(path)} → ${describeResponse(entry)}, ${describeOperation(entry)}`
  return [firstLine, ...lines.map((line) => `       ${line}`)].join('\n')
}

function describeResponse({ status, code }: JournalEntry): string {
  if (status === 0) return 'connection closed'
  return code === undefined ? `${status}` : `${status} ${code}`
}

function describeOperation(entry: JournalEntry): string {
  const { operation, nearestOperation, isUserHandled } = entry
  if (isUserHandled) return operation === undefined ? 'user handler' : `${operation}, user handler`
  if (operation !== undefined) return operation
  if (nearestOperation === undefined) return 'no operation'
  const { method, path } = operations[nearestOperation]
  return `no operation; nearest is ${nearestOperation}, ${method} ${path}`
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}
