import { isInt64 } from '../../contract/int64.js'
import { maximumDepth } from '../../validation/validate.js'

/** Marks a string that stands for an integer beyond 2^53-1. JSON has no unescaped NUL. */
const mark = '\0'

/**
 * Parses JSON from a server that is not trusted. An integer beyond ±(2^53-1) becomes a marked string
 * with all its digits; `toInt64` and `toPlainValue` convert it.
 *
 * @throws {SyntaxError} If the text is not JSON, or is nested more than 64 levels deep.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(markLargeIntegers(text))
}

/** Returns the id as canonical decimal; undefined if the value is not an int64. */
export function toInt64(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const digits = value.startsWith(mark) ? value.slice(1) : value
  return isInt64(digits) ? digits : undefined
}

/** Replaces marked strings by numbers, which are rounded. */
export function toPlainValue(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? Number(value.slice(1)) : value
  if (Array.isArray(value)) return value.map(toPlainValue)
  if (typeof value !== 'object' || value === null) return value
  // `fromEntries` defines the fields, so that `__proto__` is one as well.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toPlainValue(item)]))
}

/** Formats a value for a message: its JSON, with all digits of large integers. */
export function formatValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value)?.replaceAll(/"\\u0000(-?\d+)"/g, '$1') ?? 'nothing'
}

/** Reads the text once, because a regular expression overflows its stack on long strings. */
function markLargeIntegers(text: string): string {
  const parts: string[] = []
  let copied = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') at = findStringEnd(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === '-' || isDigit(character)) {
      const end = findNumberEnd(text, at)
      const number = text.slice(at, end)
      if (isLargeInteger(number)) {
        parts.push(text.slice(copied, at), `"\\u0000${number}"`)
        copied = end
      }
      at = end - 1
    }
    if (depth > maximumDepth) throw new SyntaxError(`more than ${maximumDepth} levels of nesting`)
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied)
}

/** Returns the position of the closing quotation mark, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

function findNumberEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && /[\d.eE+-]/.test(text[end] ?? '')) end += 1
  return end
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** Whether a number is an integer in the form of JSON that a double cannot represent exactly. */
function isLargeInteger(number: string): boolean {
  return number.length >= 16 && /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number))
}
