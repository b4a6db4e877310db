import { hasText } from '../../control/request-text.js'
import type { JournalEntry } from '../control-types.js'
import type { EntryFilter } from './filter.js'

/** Returns the condition on the text and the time. */
export function toTextAndTime({ from, to, text }: EntryFilter): (entry: JournalEntry) => boolean {
  const lowerCase = text.toLowerCase()
  return (entry) => {
    // Times of the same form are in the order of their strings.
    const second = entry.at.slice(0, 19)
    return (
      (from === '' || second >= from) &&
      (to === '' || second <= to) &&
      (lowerCase === '' || hasText(entry, lowerCase))
    )
  }
}

/** Formats a time as a field of a filter. */
export function toSecond(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}

/** Reads the value of an input of type `datetime-local`, which may omit the seconds. */
export function readSecond(value: string): string {
  return value.length === 16 ? `${value}:00` : value.slice(0, 19)
}
