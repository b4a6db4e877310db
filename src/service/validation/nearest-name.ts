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

/** Fields of version 1, with the names that they have since version 2. */
const renamedFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['times', ['atMost', 'atLeast']],
  ['after', ['skip']],
])

function findRenamed(name: string, known: readonly string[]): string | undefined {
  return renamedFields.get(name)?.find((each) => known.includes(each))
}

/**
 * Returns the known name with the smallest edit distance, or undefined if no name is similar. Names
 * longer than 64 characters are not compared.
 *
 * @param maximumEdits Distance up to which a name is similar. Default: a third of its length.
 */
export function findNearestName(
  name: string,
  known: readonly string[],
  maximumEdits: number = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > maximumLength) return undefined
  let nearest = findRenamed(name, known)
  if (nearest !== undefined) return nearest
  let fewest = maximumEdits + 1
  for (const candidate of known) {
    const edits = editDistance(name, candidate)
    if (edits < fewest) {
      fewest = edits
      nearest = candidate
    }
  }
  return nearest
}

/**
 * Returns the known name that a user has probably meant, or undefined. Stricter than
 * `findNearestName`, because short words are similar by chance; ignores case.
 */
export function findMisspeltName(name: string, known: readonly string[]): string | undefined {
  const byLowerCase = new Map(known.map((each) => [each.toLowerCase(), each]))
  const maximumEdits = name.length < 6 ? 1 : 2
  const nearest = findNearestName(name.toLowerCase(), [...byLowerCase.keys()], maximumEdits)
  return findRenamed(name, known) ?? byLowerCase.get(nearest ?? '')
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
