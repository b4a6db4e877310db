/** Maximum number of mismatches of a value that a message can list. */
export const maximumMismatches = 50

/**
 * Truncates a string for a message, by default to the length of a name. Copies the characters,
 * because a slice would retain the original in memory.
 */
export function truncate(text: string, length = 100): string {
  return text.length > length ? `${Array.from(text.slice(0, length)).join('')}…` : text
}

/**
 * Escapes line breaks, control characters, format characters, and the other characters that XML
 * forbids. Strings of clients must not control the terminal of a user, or change the direction of the
 * surrounding text.
 */
export function toPlainLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

/** Returns the first lines, and a last line with the number of further ones, if any. */
export function listFirst(lines: readonly string[], maximum: number): readonly string[] {
  const hidden = lines.length - maximum
  return hidden > 0 ? [...lines.slice(0, maximum), `and ${hidden} more`] : lines
}

/** Formats a count with its noun: `1 pet`, `12 pets`. */
export function toCount(
  count: number,
  plural: string,
  singular: string = plural.replace(/s$/, ''),
): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/**
 * Returns the code or the message of an error. In Jest and in the vm pools of vitest, the errors of
 * Node.js are not instances of the global `Error`.
 */
export function readErrorField(error: unknown, name: 'code' | 'message'): string | undefined {
  const field: unknown = Reflect.get(Object(error), name)
  return typeof field === 'string' ? field : undefined
}
