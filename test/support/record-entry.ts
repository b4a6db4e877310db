import type { Journal, JournalEntry } from '../../src/world/journal/journal.js'

/** Adds an entry with the next id to a journal. */
export function recordEntry(journal: Journal, entry: Omit<JournalEntry, 'id'>): void {
  journal.add({ ...entry, id: journal.takeId() })
}
