import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { findIndex } from './entries.js'
import { type EntryFilter, isEmptyFilter, toCondition } from './filter.js'
import type { SearchResult } from './journal-panel.js'
import { toTextAndTime } from './text-and-time.js'

/**
 * Finds the entries that match a filter. Examines each entry once, although entries are added and
 * removed at both ends, and only as many as permitted at a time.
 */
export class EntrySearch {
  readonly #matches: ((entry: JournalEntry) => boolean) | undefined
  #found: readonly JournalEntry[] = []
  /** The newest and the oldest examined entry. All between them have been examined. */
  #newest: JournalEntry | undefined
  #oldest: JournalEntry | undefined

  constructor(filter: EntryFilter) {
    const hasFields = toCondition(filter)
    const hasTextAndTime = toTextAndTime(filter)
    this.#matches = isEmptyFilter(filter)
      ? undefined
      : (entry) => hasFields(entry) && hasTextAndTime(entry)
  }

  /**
   * @param entries Newest first.
   * @param mayExamine Called before each entry.
   */
  find(entries: readonly JournalEntry[], mayExamine: () => boolean): SearchResult {
    const matches = this.#matches
    if (!matches) return { matches: entries, isDone: true }
    const newestAt = this.#findNewest(entries)
    this.#forgetRemoved(entries.at(-1))
    const newer = scan(entries, newestAt - 1, -1, matches, mayExamine)
    const olderAt = this.#oldest ? findIndex(entries, this.#oldest.id) + 1 : newestAt
    const older = newer.isDone ? scan(entries, olderAt, 1, matches, mayExamine) : nothing
    this.#found = [...newer.found.toReversed(), ...this.#found, ...older.found]
    this.#newest = newer.last ?? this.#newest ?? older.first
    this.#oldest = older.last ?? this.#oldest ?? newer.first
    return { matches: this.#found, isDone: newer.isDone && older.isDone }
  }

  /** Returns the index of the newest examined entry. Starts again if the entries were replaced. */
  #findNewest(entries: readonly JournalEntry[]): number {
    const at = this.#newest ? findIndex(entries, this.#newest.id) : 0
    if (this.#newest && entries[at] === this.#newest) return at
    this.#found = []
    this.#newest = undefined
    this.#oldest = undefined
    return 0
  }

  #forgetRemoved(oldest: JournalEntry | undefined): void {
    if (!oldest || !this.#oldest || this.#oldest.id >= oldest.id) return
    this.#oldest = oldest
    this.#found = this.#found.slice(0, findIndex(this.#found, oldest.id - 1))
  }
}

interface Scan {
  readonly found: JournalEntry[]
  readonly first?: JournalEntry | undefined
  readonly last?: JournalEntry | undefined
  readonly isDone: boolean
}

const nothing: Scan = { found: [], isDone: false }

/** Examines the entries from an index to one end of the list. */
function scan(
  entries: readonly JournalEntry[],
  start: number,
  step: 1 | -1,
  matches: (entry: JournalEntry) => boolean,
  mayExamine: () => boolean,
): Scan {
  const found: JournalEntry[] = []
  let at = start
  for (let entry = entries[at]; entry && mayExamine(); entry = entries[at]) {
    if (matches(entry)) found.push(entry)
    at += step
  }
  const isEmpty = at === start
  return {
    found,
    first: isEmpty ? undefined : entries[start],
    last: isEmpty ? undefined : entries[at - step],
    isDone: entries[at] === undefined,
  }
}

/** Number of entries that one part of a search examines: some milliseconds. */
const partLength = 1_000

/** Returns the entries that match a filter. Searches many entries in parts, between other tasks. */
export function useSearch(entries: readonly JournalEntry[], filter: EntryFilter): SearchResult {
  const search = useMemo(() => new EntrySearch(filter), [filter])
  const [part, setPart] = useState(0)
  // The part is a dependency only to continue.
  const result = useMemo(() => {
    let left = partLength
    return search.find(entries, () => left-- > 0)
  }, [search, entries, part])
  useEffect(() => {
    if (result.isDone) return
    const timer = setTimeout(() => setPart((before) => before + 1))
    return () => clearTimeout(timer)
  }, [result])
  return result
}
