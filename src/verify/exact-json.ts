/** A string, or an integer that may have too many digits for a number. Matches in linear time. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/** Marks an integer that is written as a string, and a string that begins with this character. */
const mark = '\u0001'
const escapedMark = '\\u0001'

/**
 * Parses JSON without losing digits: integers beyond ±(2^53−1) become bigints. Returns undefined if
 * the text is not JSON, or nested too deeply.
 */
export function parseExactJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (!/\d{16}/.test(text)) return value
    // It is valid JSON: every string ends, so that the expression reads each character once.
    return JSON.parse(text.replace(token, markInteger), (_name, part: unknown) =>
      typeof part === 'string' && part.startsWith(mark) ? readMarked(part.slice(1)) : part,
    )
  } catch {
    return undefined
  }
}

function markInteger(found: string): string {
  if (!found.startsWith('"')) return `"${escapedMark}${found}"`
  return found.startsWith(`"${escapedMark}`) ? `"${escapedMark}s${found.slice(7)}` : found
}

function readMarked(text: string): number | bigint | string {
  if (text.startsWith('s')) return mark + text.slice(1)
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** Whether a value of {@link parseExactJson} is an integer. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}
