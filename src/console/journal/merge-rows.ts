import type { JournalRow } from '../client/shapes.js'

/** How many calls the page keeps; older ones leave first. */
export const keptRows = 200

/** Puts further rows among those that are shown: the newest first, each once, bounded. */
export function mergeRows(
  shown: readonly JournalRow[],
  further: readonly JournalRow[],
): readonly JournalRow[] {
  const byId = new Map([...shown, ...further].map((row) => [row.id, row]))
  return Array.from(byId.values())
    .sort((a, b) => b.id - a.id)
    .slice(0, keptRows)
}
