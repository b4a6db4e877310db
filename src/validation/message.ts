/** Maximum number of mismatches of a value that a message can list. */
export const maximumMismatches = 50

/** Maximum length of a name in a message, in characters. */
const maximumName = 100

/**
 * Truncates a string for a message. Copies the characters, because a slice would retain the original
 * in memory.
 */
export function truncate(text: string, length = maximumName): string {
  return text.length > length ? `${Array.from(text.slice(0, length)).join('')}…` : text
}
