import { isInt64 } from './int64.js'
import { maximumDepth } from './validation/validate.js'

/** Marks an integer that is written as a string, and a string that begins with this character. */
const mark = '\u0001'
const escapedMark = '\\u0001'

/**
 * Parses JSON of a server that is not trusted without losing digits: integers beyond ±(2^53−1) become
 * bigints, up to 1,000 digits.
 *
 * @throws {SyntaxError} If the text is not JSON, or is nested more than 64 levels deep.
 */
export function parseExactJson(text: string): unknown {
  const marked = markLargeIntegers(text)
  const value: unknown = JSON.parse(text)
  if (marked === text) return value
  return JSON.parse(marked, (_name, part: unknown) =>
    typeof part === 'string' && part.startsWith(mark) ? readMarked(part.slice(1)) : part,
  )
}

/** Like {@link parseExactJson}, but returns undefined instead of throwing. */
export function tryParseExactJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** Formats a value of {@link parseExactJson} as JSON, with all digits; undefined as `nothing`. */
export function formatExactJson(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(formatExactJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${formatExactJson(field)}`,
  )
  return `{${fields.join()}}`
}

/** Whether a value of {@link parseExactJson} is an integer. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** Returns the canonical decimal of a number or a string; undefined if it is not an int64. */
export function toInt64(value: unknown): string | undefined {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
  const text = isExact ? String(value) : value
  return typeof text === 'string' && isInt64(text) ? text : undefined
}

/**
 * Replaces each integer that a double cannot represent by a marked string. Reads the text once: a
 * regular expression overflows its stack at a string of several megabytes.
 */
function markLargeIntegers(text: string): string {
  const parts: string[] = []
  let copied = 0
  let depth = 0
  const replace = (start: number, end: number, by: string) => {
    parts.push(text.slice(copied, start), by)
    copied = end
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') {
      const end = findStringEnd(text, at)
      if (text.startsWith(escapedMark, at + 1) && !isName(text, end)) {
        replace(at, at + 7, `"${escapedMark}s`)
      }
      at = end
    } else if (character === '[' || character === '{') {
      depth += 1
      if (depth > maximumDepth) throw new SyntaxError(`more than ${maximumDepth} levels of nesting`)
    } else if (character === ']' || character === '}') depth -= 1
    else if (character === '-' || isDigit(character)) {
      const end = findNumberEnd(text, at)
      const number = text.slice(at, end)
      if (isLargeInteger(number)) replace(at, end, `"${escapedMark}${number}"`)
      at = end - 1
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

function readMarked(text: string): bigint | string {
  return text.startsWith('s') ? mark + text.slice(1) : BigInt(text)
}

/** Returns the position of the closing quotation mark, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

/** Whether a string is the name of a field, which is not converted back. */
function isName(text: string, end: number): boolean {
  const colon = /[\t\n\r ]*:/y
  colon.lastIndex = end + 1
  return colon.test(text)
}

function findNumberEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && /[\d.eE+-]/.test(text[end] ?? '')) end += 1
  return end
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** An integer with more characters is rounded, because `BigInt` takes long for millions of digits. */
const maximumCharacters = 1_000

/** Whether a number is an integer in the form of JSON that a double cannot represent exactly. */
function isLargeInteger(number: string): boolean {
  if (number.length < 16 || number.length > maximumCharacters) return false
  return /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number))
}
