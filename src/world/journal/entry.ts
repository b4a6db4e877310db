import type { AddressId, Environment } from '../../service/addresses.js'
import { readHeaders } from '../../service/headers.js'
import { parseExactJson } from '../../service/json.js'
import type { Change } from '../../service/operations/operation.js'
import { type OperationId, operations } from '../../service/operations/operations.js'
import { truncate } from '../../service/validation/message.js'

/** One request and its response, as recorded in the journal of a world. */
export interface RecordedEntry {
  /** Consecutive number of the entry in its world, from 1. 0 if the entry is in no journal. */
  readonly id: number
  /** The value of `X-Request-Id` in the response, from the client or created by the sandbox. */
  readonly requestId: string
  /** Time of the response on the world's clock, in milliseconds since the epoch. */
  readonly atMs: number
  /** Real time between request and response, in milliseconds with three decimals. */
  readonly durationMs: number
  readonly environment: Environment
  /** Undefined for a request outside all addresses, to which only a handler of the user responds. */
  readonly address: AddressId | undefined
  readonly method: string
  /** Path below the base address, as sent, with keys masked. */
  readonly path: string
  /**
   * Part after the `?`, as sent, with credentials and keys masked; over HTTP, all values of requests
   * to a shared world. Empty if there is none.
   */
  readonly query: string
  /**
   * The operation that matched the request, also if a handler of the user responded in its place.
   * Undefined if none did.
   */
  readonly operation: string | undefined
  /** Whether a handler that the user added responded, in place of the sandbox. */
  readonly isUserHandled: boolean
  /** The most similar operation. Undefined if an operation matched, or none is similar. */
  readonly nearestOperation: OperationId | undefined
  /** The first 12 characters of the key and `…`. Undefined if the request has no key. */
  readonly apiKey: string | undefined
  /**
   * Name, value, name, value, with names in lower case. At most 50 headers, each value truncated
   * to 256 characters. Credentials and keys are masked, and of cookies only the names are recorded.
   * Over HTTP, the journal of a shared world has only content and negotiation headers.
   */
  readonly requestHeaders: readonly string[]
  /** Request body as a string, truncated to 4 KiB, with credentials and keys masked. */
  readonly requestBody: string | undefined
  /** HTTP status of the response. 0 if there was none: a fault or the client closed the connection. */
  readonly status: number
  /** Whether the client disconnected or aborted the request before the response. */
  readonly aborted: boolean
  /** The `code` of an Error body. */
  readonly code: string | undefined
  /** Name, value, name, value. */
  readonly responseHeaders: readonly string[]
  /**
   * Response body as a string, truncated to 4 KiB, with credentials and keys masked. Undefined for
   * the response of a user handler, which is not buffered.
   */
  readonly responseBody: string | undefined
  /** The decision of each processing step, in order. */
  readonly explanation: readonly string[]
  /** The changes that the request made in the world. A message is truncated to 4 KiB. */
  readonly changes: readonly Change[]
  /**
   * The truncated and missing parts: `path`, `query`, `requestHeaders` if some are missing,
   * `requestHeaders.x-trace` for a truncated value, `requestBody` and `responseBody`. Undefined if the
   * entry is complete.
   */
  readonly incomplete?: readonly string[] | undefined
}

/** A request without a response so far. */
export interface PendingRequest {
  /** Time on the world's clock when its processing began, in milliseconds since the epoch. */
  readonly receivedAtMs: number
  readonly address: AddressId
  readonly method: string
  /** Path below the base address, as sent, with keys masked. */
  readonly path: string
  /** Undefined if no operation matched. */
  readonly operation: string | undefined
  /** The first 12 characters of the key and `…`. */
  readonly apiKey: string | undefined
}

/** A journal at one time: of a world in this process, or of a remote one. */
export interface JournalView {
  /** Maximum number of retained entries. */
  readonly capacity: number
  /** The retained entries, oldest first. */
  readonly entries: readonly RecordedEntry[]
  /** The requests that have no response yet, oldest first. */
  readonly pending: readonly PendingRequest[]
  /** Number of dropped entries since the last `clear`. */
  readonly dropped: number
  /** The codes of the responses. */
  readonly codes: readonly string[]
  /** Requests to shared worlds, which may have been intended for this world. */
  readonly strays?: readonly RecordedEntry[]
}

/** Whether nothing matched. The user expects the requests to which their handlers respond. */
export function isUnmatched({ operation, isUserHandled }: RecordedEntry): boolean {
  return operation === undefined && !isUserHandled
}

/** The request of a journal entry in parsed form. */
export interface ParsedRequest {
  /** Recorded headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded query parameters. */
  readonly query: URLSearchParams
  /**
   * The parsed body. Undefined if there is none, or it is not JSON. Integers that a number cannot
   * represent exactly are `bigint`s.
   *
   * @throws {Error} If the recorded body is incomplete.
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

/** Adds the parsed form, which is not enumerable. A body is parsed when it is read. */
export function toJournalEntry(entry: RecordedEntry): JournalEntry {
  const query = new URLSearchParams(entry.query)
  const request: ParsedRequest = Object.assign(parse(entry, 'request'), { query })
  const parsed = { request: { value: request }, response: { value: parse(entry, 'response') } }
  return Object.defineProperties({ ...entry } as JournalEntry, parsed) // both are defined
}

function parse(entry: RecordedEntry, part: 'request' | 'response'): ParsedResponse {
  const name = `${part}Body` as const
  return {
    headers: readHeaders(entry[`${part}Headers`]),
    get json() {
      if (entry.incomplete?.includes(name)) {
        throw new Error(`the journal does not have the whole ${name} of the entry #${entry.id}`)
      }
      return parseExactJson(entry[name] ?? '')
    },
  }
}

const shownEntries = 10
/** Maximum length of a part of a request in a message. */
export const shownCharacters = 200

/** Returns an additional line for an entry, or undefined for none. */
export type EntryNote = (entry: RecordedEntry) => string | undefined

/**
 * Formats at most ten entries with their explanations, oldest first. If there are more, entries
 * with a note are preferred, then the newest.
 */
export function describeEntries(entries: readonly RecordedEntry[], note?: EntryNote): string {
  const newestFirst = entries.toReversed()
  const byPreference = new Set([...newestFirst.filter((entry) => note?.(entry)), ...newestFirst])
  const shown = new Set([...byPreference].slice(0, shownEntries))
  const hidden = entries.length - shown.size
  const lines = entries.flatMap((entry) =>
    shown.has(entry) ? describeEntry(entry, note?.(entry)) : [],
  )
  if (hidden > 0) lines.unshift(`  (${hidden} more not shown)`)
  return lines.join('\n')
}

function describeEntry(entry: RecordedEntry, note?: string): string {
  const { id, method, path, requestBody, explanation } = entry
  const lines = [...explanation]
  if (requestBody !== undefined) lines.unshift(`body ${truncate(requestBody, shownCharacters)}`)
  if (note !== undefined) lines.push(note)
  const firstLine = `  #${id} ${method} ${truncate(path, shownCharacters)} → ${describeResponse(entry)}, ${describeOperation(entry)}`
  return [firstLine, ...lines.map((line) => `       ${line}`)].join('\n')
}

function describeResponse({ status, code }: RecordedEntry): string {
  if (status === 0) return 'connection closed'
  return code === undefined ? `${status}` : `${status} ${code}`
}

function describeOperation(entry: RecordedEntry): string {
  const { operation, nearestOperation, isUserHandled } = entry
  if (isUserHandled) return operation === undefined ? 'user handler' : `${operation}, user handler`
  if (operation !== undefined) return operation
  if (nearestOperation === undefined) return 'no operation'
  const { method, path } = operations[nearestOperation]
  return `no operation; nearest is ${nearestOperation}, ${method} ${path}`
}

/** First words of the result of {@link describeReceived} if there are requests. */
export const receivedHeading = 'Requests received by this world'

/** Formats the requests of a journal with a heading, and an optional note for each. */
export function describeReceived(
  { entries, pending }: Pick<JournalView, 'entries' | 'pending'>,
  note?: EntryNote,
): string {
  if (entries.length === 0 && pending.length === 0) {
    return 'This world received no requests. Check that the client sends the API key of this world.'
  }
  const list = entries.length > 0 ? `:\n${describeEntries(entries, note)}` : ''
  const lines = pending.map(
    ({ method, path, operation = 'no operation' }) =>
      `\n  ${method} ${truncate(path, shownCharacters)}, ${operation}`,
  )
  const waiting = pending.length > 0 ? `\n\nPending requests:${lines.join('')}` : ''
  return `${receivedHeading} (${entries.length})${list}${waiting}`
}
