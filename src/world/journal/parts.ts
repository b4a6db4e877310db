import { type RecordedEntry, readHeaders } from './journal.js'

/** Returns all values of each query parameter. */
export function readQuery({ query }: RecordedEntry): Record<string, readonly string[]> {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
}

/** A JSON string, or an integer that a number may not represent exactly. */
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g
const mark = '\0bigint '
const escapedMark = '\\u0000bigint '

/**
 * Parses JSON. Integers beyond the safe range become a `bigint`. Returns other text unchanged, and
 * undefined for no text.
 */
export function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/**
 * Parses JSON. Integers beyond the safe range become a `bigint`.
 *
 * @throws {SyntaxError} If the text is not JSON.
 */
function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = text.replace(stringOrLongInteger, (token) =>
    token.startsWith('"') ? token : `"${escapedMark}${token}"`,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? toInteger(value) : value,
  )
}

function toInteger(marked: string): number | bigint {
  const digits = marked.slice(mark.length)
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** The request of a journal entry in parsed form. */
export interface ParsedRequest {
  /** Recorded headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded query parameters. */
  readonly query: URLSearchParams
  /**
   * The parsed body. Undefined if there is none, or it is not JSON. An integer that a number cannot
   * represent exactly is a `bigint`.
   *
   * @throws {Error} If the journal does not have the whole body.
   */
  readonly json: unknown
}

/** The response of a journal entry in parsed form. */
export type ParsedResponse = Omit<ParsedRequest, 'query'>

/** A journal entry whose headers and bodies are also available in parsed form. */
export interface JournalEntry extends RecordedEntry {
  readonly request: ParsedRequest
  readonly response: ParsedResponse
}

/** Adds the parsed form, which is computed when it is read. It is not enumerable. */
export function toJournalEntry(entry: RecordedEntry): JournalEntry {
  const request: ParsedRequest = {
    get headers() {
      return readHeaders(entry.requestHeaders)
    },
    get query() {
      return new URLSearchParams(entry.query)
    },
    get json() {
      return parseBody(entry, 'requestBody')
    },
  }
  const response: ParsedResponse = {
    get headers() {
      return readHeaders(entry.responseHeaders)
    },
    get json() {
      return parseBody(entry, 'responseBody')
    },
  }
  const parsed = { ...entry }
  Object.defineProperties(parsed, { request: { value: request }, response: { value: response } })
  return parsed as JournalEntry // both properties were defined
}

function parseBody(entry: RecordedEntry, name: 'requestBody' | 'responseBody'): unknown {
  const text = entry[name]
  if (entry.incomplete?.includes(name)) {
    throw new Error(`the journal does not have the whole ${name} of the entry #${entry.id}`)
  }
  try {
    return text === undefined ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}
