import { maximumDepth } from './bounds.js'

/** Parses JSON; undefined for any other string. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Parses JSON of a server that is not trusted without losing digits: integers beyond ±(2^53−1) become
 * bigints, up to 1,000 digits. Returns undefined for any other string, and for JSON that is nested
 * more than 64 levels deep.
 */
export function parseExactJson(text: string): unknown {
  try {
    const quoted = quoteLargeIntegers(text)
    const value: unknown = JSON.parse(text)
    return quoted === text ? value : toExact(value, JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/**
 * Escaped characters, a quotation mark, a bracket or a number. It does not match whole strings, because
 * a match of several megabytes overflows the stack of the regular expression.
 */
const tokens = /(?:\\[\s\S]){1,99}|["[\]{}]|-?\d[\d.eE+-]*/g

/** Replaces each integer that a double cannot represent by a string. */
function quoteLargeIntegers(text: string): string {
  let isString = false
  let depth = 0
  return text.replace(tokens, (token) => {
    if (token === '"') isString = !isString
    if (isString) return token
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > maximumDepth) throw new SyntaxError(`more than ${maximumDepth} levels of nesting`)
    return isLargeInteger(token) ? `"${token}"` : token
  })
}

/** Returns a value with bigints where only the other value has strings. */
function toExact(value: unknown, quoted: unknown): unknown {
  if (typeof value === 'number' && typeof quoted === 'string') return BigInt(quoted)
  if (typeof value !== 'object' || value === null) return value
  const below = (name: string | number) => Reflect.get(Object(quoted), name)
  if (Array.isArray(value)) return value.map((item, at) => toExact(item, below(at)))
  const fields = Object.entries(value).map(([name, field]) => [name, toExact(field, below(name))])
  return Object.fromEntries(fields)
}

/** An integer with more characters is rounded, because `BigInt` takes long for millions of digits. */
const maximumCharacters = 1_000

/** Whether a number is an integer in the form of JSON that a double cannot represent exactly. */
function isLargeInteger(number: string): boolean {
  if (number.length < 16 || number.length > maximumCharacters) return false
  return /^-?[1-9]\d*$/.test(number) && !Number.isSafeInteger(Number(number))
}
