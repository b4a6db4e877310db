import leven from 'leven'
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

/** Fields of version 1, with their names in version 2. */
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
  const distances = known.map((candidate) => leven(name, candidate))
  const fewest = Math.min(...distances)
  const nearest = fewest > maximumEdits ? undefined : known[distances.indexOf(fewest)]
  return findRenamed(name, known) ?? nearest
}

/**
 * Returns the known name that the user probably meant, or undefined. Stricter than `findNearestName`,
 * because short words are similar by chance; ignores case.
 */
export function findMisspeltName(name: string, known: readonly string[]): string | undefined {
  const byLowerCase = new Map(known.map((each) => [each.toLowerCase(), each]))
  const maximumEdits = name.length < 6 ? 1 : 2
  const nearest = findNearestName(name.toLowerCase(), [...byLowerCase.keys()], maximumEdits)
  return findRenamed(name, known) ?? byLowerCase.get(nearest ?? '')
}
