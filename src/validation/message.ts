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

/**
 * Returns the code or the message of an error. In Jest and in the vm pools of vitest, the errors of
 * Node.js are not instances of the global `Error`.
 */
export function readErrorField(error: unknown, name: 'code' | 'message'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const field: unknown = Reflect.get(error, name)
  return typeof field === 'string' ? field : undefined
}
