import { findNearestOperation } from '../../operations/nearest.js'
import { operations } from '../../operations/operations.js'
import type { JournalEntry } from './journal.js'

const shownEntries = 10
const shownCharacters = 200

/** A line below a call that tells a reader more of it; undefined for none. */
export type EntryNote = (entry: JournalEntry) => string | undefined

/**
 * Calls for a reader, oldest first, each with its explanation; of many, those with a note and then
 * the newest.
 */
export function describeEntries(entries: readonly JournalEntry[], note?: EntryNote): string {
  const shown = pickShown(entries, note)
  const hidden = entries.length - shown.size
  const lines = entries
    .filter((entry) => shown.has(entry))
    .map((entry) => describeEntry(entry, note?.(entry)))
  if (hidden > 0) lines.unshift(`  (${hidden} more not shown)`)
  return lines.join('\n')
}

function pickShown(entries: readonly JournalEntry[], note?: EntryNote): ReadonlySet<JournalEntry> {
  const newestFirst = entries.toReversed()
  const noted = newestFirst.filter((entry) => note?.(entry) !== undefined)
  return new Set([...new Set([...noted, ...newestFirst])].slice(0, shownEntries))
}

/** A call for a reader: what was asked and answered, and below it the explanation and the note. */
function describeEntry(entry: JournalEntry, note?: string): string {
  const { id, method, path, requestBody, explanation } = entry
  const lines = [...explanation]
  if (requestBody !== undefined) lines.unshift(`body ${shorten(requestBody)}`)
  if (note !== undefined) lines.push(note)
  const head = `  #${id} ${method} ${shorten(path)} → ${describeResponse(entry)}, ${describeTarget(entry)}`
  return [head, ...lines.map((line) => `       ${line}`)].join('\n')
}

function describeResponse({ status, code }: JournalEntry): string {
  if (status === 0) return 'connection broken'
  return code === undefined ? `${status}` : `${status} ${code}`
}

function describeTarget({ operation, method, path }: JournalEntry): string {
  if (operation !== undefined) return operation
  const nearest = findNearestOperation(method, path)
  if (nearest === null) return 'no operation'
  const { method: itsMethod, path: itsPath } = operations[nearest]
  return `no operation; nearest is ${nearest}, ${itsMethod} ${itsPath}`
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}
