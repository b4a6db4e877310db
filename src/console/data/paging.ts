/** The part of a list that is shown. */
export interface Page<T> {
  readonly items: readonly T[]
  /** From 0. */
  readonly number: number
  readonly last: number
  /** `1–20 of 5,000`. */
  readonly title: string
}

export const pageSize = 20

/** Cuts a page out of a list; past the end it is the last one. */
export function toPage<T>(all: readonly T[], wanted: number): Page<T> {
  const last = Math.max(0, Math.ceil(all.length / pageSize) - 1)
  const number = Math.min(wanted, last)
  const from = number * pageSize
  const items = all.slice(from, from + pageSize)
  const range = items.length === 0 ? '0' : `${from + 1}–${from + items.length}`
  return { items, number, last, title: `${range} of ${all.length.toLocaleString('en')}` }
}
