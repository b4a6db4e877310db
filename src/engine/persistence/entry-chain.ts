import type { RecordedEntry } from '../../world/journal/entry.js'

/** A journal entry without what it has in common with the one before. */
export type EntryDelta = Readonly<Record<string, unknown>>

/** Entries as a record contains them. */
export interface EncodedEntries {
  readonly entries?: readonly RecordedEntry[] | undefined
  readonly deltas?: readonly EntryDelta[] | undefined
}

/** Number of records after which one contains its entries in full. */
export const recordsPerFullEntry = 50

/** The strings of a list that differ from the list before, by position. Both have the same length. */
type ListDelta = Readonly<Record<number, string>>

/**
 * Encodes the journal entries of successive records. Most entries differ from the one before in a
 * few strings, so that a record is a tenth as long. The entries after a gap are encoded in full
 * within {@link recordsPerFullEntry} records.
 */
export class EntryChain {
  #previous: RecordedEntry | undefined
  #sinceFull = 0

  /** Returns a copy, which continues independently. */
  copy(): EntryChain {
    const copy = new EntryChain()
    copy.#previous = this.#previous
    copy.#sinceFull = this.#sinceFull
    return copy
  }

  /** Encodes the entries of the next record. */
  encode(entries: readonly RecordedEntry[]): EncodedEntries {
    if (entries.length === 0) return {}
    if (!this.#previous || this.#sinceFull >= recordsPerFullEntry) {
      this.#continue(entries, 0)
      return { entries }
    }
    const deltas: EntryDelta[] = []
    let previous = this.#previous
    for (const entry of entries) {
      deltas.push(toDelta(entry, previous))
      previous = entry
    }
    this.#continue(entries, this.#sinceFull + 1)
    return { deltas }
  }

  /** Decodes the entries of the next record. Omits those whose predecessor is missing. */
  decode({ entries, deltas = [] }: EncodedEntries): readonly RecordedEntry[] {
    if (entries) {
      this.#continue(entries, 0)
      return entries
    }
    if (!this.#previous) return []
    const decoded: RecordedEntry[] = []
    let previous = this.#previous
    for (const delta of deltas) {
      previous = applyDelta(delta, previous)
      decoded.push(previous)
    }
    this.#continue(decoded, this.#sinceFull + 1)
    return decoded
  }

  #continue(entries: readonly RecordedEntry[], sinceFull: number): void {
    this.#previous = entries.at(-1) ?? this.#previous
    this.#sinceFull = sinceFull
  }
}

/** Returns the fields that differ. Null stands for undefined. */
function toDelta(entry: RecordedEntry, previous: RecordedEntry): EntryDelta {
  const delta: Record<string, unknown> = {}
  for (const name in entry) {
    const value = entry[name as keyof RecordedEntry] // the keys of an entry
    const before = previous[name as keyof RecordedEntry]
    if (value === before) continue
    if (isStringList(value) && isStringList(before) && value.length === before.length) {
      const list = toListDelta(value, before)
      if (list) delta[name] = list
    } else delta[name] = value ?? null
  }
  return delta
}

/** Returns undefined if both lists are equal. */
function toListDelta(list: readonly string[], before: readonly string[]): ListDelta | undefined {
  let delta: Record<number, string> | undefined
  for (let at = 0; at < list.length; at += 1) {
    const text = list[at]
    if (text === undefined || text === before[at]) continue
    delta ??= {}
    delta[at] = text
  }
  return delta
}

function applyDelta(delta: EntryDelta, previous: RecordedEntry): RecordedEntry {
  const entry: Record<string, unknown> = { ...previous }
  for (const name in delta) {
    const value = delta[name]
    const before = entry[name]
    if (value === null) entry[name] = undefined
    else if (!isStringList(before)) entry[name] = value
    else if (!Array.isArray(value)) entry[name] = Object.assign([...before], value)
    // Earlier versions of this package wrote all positions, with 0 for an equal string.
    else entry[name] = value.map((text, at) => (text === 0 ? before[at] : text))
  }
  return entry as unknown as RecordedEntry // an entry with some fields replaced
}

/** Whether a value is a list of strings, or empty. Lists of entries contain one type. */
function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && (value.length === 0 || typeof value[0] === 'string')
}
