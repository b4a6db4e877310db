import { toCount } from '../../service/validation/message.js'

/** Formats a number with separators: `1,200`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en')
}

/** Formats a count with its noun, with separators: `1 request`, `1,200 requests`. */
export function formatCount(count: number, plural: string): string {
  return toCount(count, plural).replace(String(count), formatNumber(count))
}
