/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Index of the page, from 0. */
  readonly number: number
  /** Index of the last page. */
  readonly last: number
  /** Such as `1–20 of 5,000`. */
  readonly title: string
}

export const pageSize = 20

/** Returns the page with an index; the last page if there is no such page. */
export function toPage<T>(all: readonly T[], wanted: number): Page<T> {
  const last = Math.max(0, Math.ceil(all.length / pageSize) - 1)
  const number = Math.min(wanted, last)
  const from = number * pageSize
  const items = all.slice(from, from + pageSize)
  const range = items.length === 0 ? '0' : `${from + 1}–${from + items.length}`
  return { items, number, last, title: `${range} of ${all.length.toLocaleString('en')}` }
}
