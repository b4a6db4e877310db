import type { RecordedEntry } from '../../src/world/journal/entry.js'
import type { Journal } from '../../src/world/journal/journal.js'

/** Adds an entry with the next id to a journal. */
export function recordEntry(journal: Journal, entry: Omit<RecordedEntry, 'id'>): void {
  journal.lastId += 1
  journal.add({ ...entry, id: journal.lastId })
}
