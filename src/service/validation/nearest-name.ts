import { listFirst, truncate } from './message.js'

const shownNames = 30
const maximumLength = 64

/**
 * Returns the end of a message about an unknown name: `; did you mean "…"? known: …`. At most 30
 * names are listed, each truncated to 100 characters.
 */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  const hint = nearest === undefined ? '' : `did you mean ${JSON.stringify(truncate(nearest))}? `
  const names = known.map((each) => truncate(each))
  return `; ${hint}known: ${listFirst(names, shownNames).join(', ')}`
}

/**
 * Returns the known name with the smallest edit distance, or undefined if no name is similar. Names
 * longer than 64 characters are not compared.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maximumLength) return undefined
  let nearest: string | undefined
  let fewest = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const edits = editDistance(name, candidate)
    if (edits < fewest) {
      fewest = edits
      nearest = candidate
    }
  }
  return nearest
}

/** Computes the Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [fromIndex, fromLetter] of [...from].entries()) {
    const next = [fromIndex + 1]
    for (const [toIndex, toLetter] of [...to].entries()) {
      const change = (row[toIndex] ?? 0) + (fromLetter === toLetter ? 0 : 1)
      const remove = (row[toIndex + 1] ?? 0) + 1
      const insert = (next[toIndex] ?? 0) + 1
      next.push(Math.min(change, remove, insert))
    }
    row = next
  }
  return row[to.length] ?? 0
}
