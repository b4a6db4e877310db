import { Problem } from '../service/errors.js'
import type { Work } from '../service/validation/slices.js'
import { depthLimit, describeValue, maximumDepth } from '../service/validation/validate.js'

/**
 * Maximum number of commas and opening brackets in a body, which is at least its number of values.
 * 20,000 pets and 20,000 orders, each with all fields, have 400,000. Measured on Node.js 20: 500,000
 * values occupy at most 60 MB, and 8 MiB without this limit up to 500 MB.
 */
export const maximumJsonValues = 500_000

/**
 * Maximum number of fields of one object. Reading the names of an object with 500,000 fields takes
 * one second.
 */
const maximumJsonFields = 10_000

/** Bytes that are checked or decoded between two interruptions. */
const chunkBytes = 65_536

/**
 * Parses a JSON body. Its nesting and its number of values are limited before any of them is
 * created.
 *
 * @throws {Problem} invalid_json if it is not JSON in UTF-8; invalid_field if it exceeds a limit.
 */
export function* readJson(bytes: Uint8Array): Work<unknown> {
  yield* checkBounds(bytes)
  const text = yield* decode(bytes)
  try {
    return text.length <= chunkBytes ? JSON.parse(text) : yield* new JsonParser(text).parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem('invalid_json', `the body must be JSON, found ${describeValue(text)}`)
  }
}

function* checkBounds(bytes: Uint8Array): Work<void> {
  const scanner = new BoundsScanner()
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    scanner.scan(bytes.subarray(at, at + chunkBytes))
    if (scanner.deepest > maximumDepth) throw createLimitProblem(depthLimit)
    if (scanner.values > maximumJsonValues) {
      throw createLimitProblem(`at most ${maximumJsonValues} values`)
    }
    if (scanner.mostFields > maximumJsonFields) {
      throw createLimitProblem(`objects of at most ${maximumJsonFields} fields`)
    }
    yield
  }
}

function createLimitProblem(wanted: string): Problem {
  return new Problem('invalid_field', `the body must be ${wanted}, found more`)
}

/** Determines the nesting and the number of values of JSON in UTF-8. Does not validate it. */
class BoundsScanner {
  /** Largest number of nested brackets. */
  deepest = 0
  /** Number of commas and opening brackets. */
  values = 0
  /** Largest number of fields of one object. */
  mostFields = 0
  /** For each open array and object, its number of fields; not a number for an array. */
  readonly #fields: number[] = []
  #isInString = false
  #isEscaped = false

  scan(chunk: Uint8Array): void {
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    for (const byte of chunk) {
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === 0x5c) isEscaped = true
        else if (byte === quote) isInString = false
      } else if (byte === quote) isInString = true
      else if (byte === comma) this.#separate()
      else if (isOpening(byte)) this.#open(byte)
      else if (isClosing(byte)) this.#fields.pop()
    }
    this.#isInString = isInString
    this.#isEscaped = isEscaped
  }

  #separate(): void {
    this.values += 1
    const fields = 1 + (this.#fields.pop() ?? NaN)
    this.#fields.push(fields)
    if (fields > this.mostFields) this.mostFields = fields
  }

  #open(byte: number): void {
    this.values += 1
    const depth = this.#fields.push(byte === 0x7b ? 1 : NaN)
    if (depth > this.deepest) this.deepest = depth
  }
}

/** Decodes short bodies. A decoder that is used with `stream` is expensive to create. */
const wholeDecoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 in chunks, because Node.js 20 needs 20 ms for 1 MB that is not ASCII. */
function* decode(bytes: Uint8Array): Work<string> {
  if (bytes.length <= chunkBytes) return decodeChunk(wholeDecoder, bytes)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    text += decodeChunk(decoder, bytes.subarray(at, at + chunkBytes), { stream: true })
    yield
  }
  return text + decodeChunk(decoder)
}

/** Decodes a chunk, or ends the text. In Jest, the error is not an instance of its `TypeError`. */
function decodeChunk(decoder: TextDecoder, ...chunk: Parameters<TextDecoder['decode']>): string {
  try {
    return decoder.decode(...chunk)
  } catch {
    throw new Problem('invalid_json', 'the body must be UTF-8, found invalid bytes')
  }
}

/** Maximum size of a text that is passed to `JSON.parse`, unless it is one string or number. */
const partValues = 1_000
const partCharacters = 65_536

/**
 * Parses JSON like `JSON.parse`, which needs up to 1.5 µs per value, but can be interrupted: large
 * arrays and objects are parsed in parts. Nesting must be limited.
 */
class JsonParser {
  #at = 0

  constructor(readonly text: string) {}

  /** @throws {SyntaxError} If it is not JSON. */
  *parse(): Work<unknown> {
    const value = yield* this.#readValue()
    if ((yield* this.#peek()) !== '') throw new SyntaxError('no character may follow the value')
    return value
  }

  *#readValue(): Work<unknown> {
    yield
    const first = yield* this.#peek()
    const end = findEnd(this.text, this.#at, 1)
    if (end > this.#at) return JSON.parse(this.#take(end))
    if (first === '[') return yield* this.#readArray()
    if (first === '{') return yield* this.#readObject()
    return JSON.parse(this.#take(yield* findScalarEnd(this.text, this.#at)))
  }

  *#readArray(): Work<unknown[]> {
    const array: unknown[] = []
    this.#at += 1
    if (yield* this.#isEnd(']')) return array
    do {
      const end = findEnd(this.text, this.#at, Infinity)
      if (end === this.#at) array.push(yield* this.#readValue())
      else array.push(...(JSON.parse(`[${this.#take(end)}]`) as unknown[])) // in brackets
      yield
    } while (yield* this.#continues(']'))
    return array
  }

  *#readObject(): Work<object> {
    const object = {}
    this.#at += 1
    if (yield* this.#isEnd('}')) return object
    do {
      const name = yield* this.#readName()
      const value = yield* this.#readValue()
      // An assignment of `__proto__` would set the prototype.
      const attributes = { configurable: true, enumerable: true, writable: true }
      Object.defineProperty(object, name, { value, ...attributes })
    } while (yield* this.#continues('}'))
    return object
  }

  *#readName(): Work<string> {
    if ((yield* this.#peek()) !== '"') throw new SyntaxError('the name of a field must be a string')
    const name: unknown = JSON.parse(this.#take(yield* findScalarEnd(this.text, this.#at)))
    if ((yield* this.#peek()) !== ':')
      throw new SyntaxError('a colon must follow the name of a field')
    this.#at += 1
    return String(name)
  }

  /** Reads the closing bracket of an empty array or object. Returns whether it is there. */
  *#isEnd(closing: string): Work<boolean> {
    const isEnd = (yield* this.#peek()) === closing
    if (isEnd) this.#at += 1
    return isEnd
  }

  /** Reads the comma or the closing bracket after an entry. Returns whether it is a comma. */
  *#continues(closing: string): Work<boolean> {
    const next = yield* this.#peek()
    if (next !== ',' && next !== closing) throw new SyntaxError(`${closing} or a comma is missing`)
    this.#at += 1
    return next === ','
  }

  /** Skips white space and returns the next character; empty at the end. */
  *#peek(): Work<string> {
    let at = this.#at
    while (isSpace(this.text.charCodeAt(at))) {
      at += 1
      if (at % partCharacters === 0) yield
    }
    this.#at = at
    return this.text.charAt(at)
  }

  #take(end: number): string {
    const part = this.text.slice(this.#at, end)
    this.#at = end
    return part
  }
}

const quote = 0x22
const comma = 0x2c

/**
 * Returns the index after the entries that begin at `start`: of a comma, a closing bracket, or the
 * end of the text. Includes as many entries as a part may have; returns `start` if the first is
 * larger than a part.
 */
function findEnd(text: string, start: number, maximumEntries: number): number {
  const last = start + partCharacters
  let end = start
  let depth = 0
  let entries = 0
  for (let at = start, values = 0; at < last && values <= partValues; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findStringEnd(text, at, last) - 1
    else if (isOpening(code)) {
      depth += 1
      values += 1
    } else if (depth > 0 && isClosing(code)) depth -= 1
    else if (code === comma || isClosing(code) || Number.isNaN(code)) {
      values += 1
      if (depth > 0) continue
      end = at
      entries += 1
      if (code !== comma || entries === maximumEntries) return end
    }
  }
  return end
}

/** Returns the index after the closing quote; `last` if there is none before it. */
function findStringEnd(text: string, start: number, last: number): number {
  for (let at = start + 1; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === 0x5c) at += 1
  }
  return last
}

/** Returns the index after a string, number, boolean or null. */
function* findScalarEnd(text: string, start: number): Work<number> {
  const isString = text.charCodeAt(start) === quote
  let at = isString ? start + 1 : start
  for (let next = at + partCharacters; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isString && code === quote) return at + 1
    if (isString && code === 0x5c) at += 1
    else if (!isString && (code === comma || isClosing(code) || isSpace(code))) return at
    if (at < next) continue
    next += partCharacters
    yield
  }
  return text.length
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
