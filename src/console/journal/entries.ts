import type { JournalEntry } from '../control-types.js'

/** The entries that the page retains. */
export interface RetainedEntries {
  /** Newest first. An entry that is retained stays the same object. */
  readonly entries: readonly JournalEntry[]
  /** Sum of `estimateSize`. */
  readonly size: number
  /** Whether there was no room for older entries. */
  readonly isFull: boolean
}

export const noEntries: RetainedEntries = { entries: [], size: 0, isFull: false }

/** Bounds of the retained entries. */
export interface EntryBounds {
  /** Maximum number of entries: the capacity of the journal. */
  readonly capacity: number
  /** Maximum sum of `estimateSize`. */
  readonly size: number
}

/** Maximum size of the retained entries, in bytes. */
export const maximumSize = 67_108_864

/** Estimates the memory that an entry uses, in bytes. */
export function estimateSize(entry: JournalEntry): number {
  return 2 * JSON.stringify(entry).length
}

/**
 * Adds entries, each once. Removes the oldest ones beyond the bounds.
 *
 * @param added In any order.
 */
export function addEntries(
  before: RetainedEntries,
  added: readonly JournalEntry[],
  bounds: EntryBounds,
): RetainedEntries {
  const ids = new Set(before.entries.map(({ id }) => id))
  const fresh = added.filter(({ id }) => ids.size < ids.add(id).size)
  if (fresh.length === 0) return before
  const entries = [...fresh, ...before.entries].sort((a, b) => b.id - a.id)
  let size = fresh.reduce((sum, entry) => sum + estimateSize(entry), before.size)
  let { isFull } = before
  while (entries.length > bounds.capacity || size > bounds.size) {
    if (size > bounds.size) isFull = true
    const removed = entries.pop()
    size -= removed ? estimateSize(removed) : 0
  }
  return { entries, size, isFull }
}

/**
 * Returns the index of the newest entry whose id is not larger than the given one; the length of the
 * list if there is none.
 *
 * @param entries Newest first.
 */
export function findIndex(entries: readonly JournalEntry[], id: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.id ?? 0) > id) low = middle + 1
    else high = middle
  }
  return low
}
