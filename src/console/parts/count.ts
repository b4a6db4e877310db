import { toCount } from '../../service/validation/message.js'

/** Formats a count with its noun, with separators: `1 request`, `1,200 requests`. */
export function formatCount(count: number, plural: string): string {
  return toCount(count, plural).replace(String(count), count.toLocaleString('en'))
}
