import { type Markup, markup } from '../markup.js'

/** Formats a timestamp with spaces, at which it can wrap: `2026-01-15 09:00:01.200 UTC`. */
export function toTime(timestamp: string): Markup {
  const text = timestamp
    .replace(/^(\d{4}-\d\d-\d\d)T([\d:.]+)Z$/, '$1 $2 UTC')
    .replace('.000 UTC', ' UTC')
  return markup`<time datetime="${timestamp}">${text}</time>`
}
