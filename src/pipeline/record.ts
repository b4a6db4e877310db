import { maskApiKey } from '../contract/api-key.js'
import type { JsonText } from '../contract/json-text.js'
import { findNearestOperation } from '../operations/nearest.js'
import type { Exchange } from './exchange.js'
import type { KeyHolder } from './host.js'
import type { ApiRequest, ApiResponse, RequestBody } from './message.js'

const maximumBody = 4_096
const maximumTarget = 1_024
const maximumHeaders = 50
/** Maximum number of characters in all header names and values of a request. */
const maximumHeaderSection = 4_096
const maximumHeader = 256

const decoder = new TextDecoder()

/** Records the request and its response in the journal of the world, and notifies the sandbox. */
export function record(exchange: Exchange, response: ApiResponse, code: string | undefined): void {
  const { request, world, host, route, holder, apiKey } = exchange
  const { operation } = route
  const entry = world.journal.record({
    atMs: world.clock.now(),
    durationMs: host.monotonic() - exchange.startedAt,
    environment: exchange.environment,
    address: request.address,
    method: request.method,
    path: truncate(request.path, maximumTarget),
    query: truncate(maskKeys(request.query), maximumTarget),
    operation,
    nearestOperation:
      operation === undefined ? findNearestOperation(request.method, request.path) : undefined,
    apiKey: holder?.maskedKey ?? (apiKey === undefined ? undefined : maskApiKey(apiKey)),
    requestHeaders: toRecordedHeaders(request, holder),
    requestBody: toRecordedBody(exchange.body),
    status: response.status,
    aborted: exchange.isAborted,
    code,
    responseHeaders: response.headers,
    responseBody: response.body && toRecordedText(response.body),
    explanation: exchange.explanation,
    changes: exchange.changes,
  })
  host.onRequest(entry, world)
}

/**
 * Truncates a string. Copies the characters, because a slice would retain the original in memory.
 */
function truncate(text: string, length: number): string {
  return text.length > length ? `${Array.from(text.slice(0, length)).join('')}…` : text
}

function toRecordedBody(body: RequestBody): string | undefined {
  if (body === undefined) return undefined
  if (body === 'too-large') return '(too large)'
  const text = decoder.decode(body.subarray(0, maximumBody))
  return body.byteLength > maximumBody ? `${text}… (${body.byteLength} bytes)` : text
}

const truncated = new WeakMap<JsonText, string>()

/** Truncates the body of a response. The result is cached for all responses that share the body. */
function toRecordedText(body: JsonText): string {
  if (body.text.length <= maximumBody) return body.text
  const cached = truncated.get(body)
  if (cached !== undefined) return cached
  const text = `${truncate(body.text, maximumBody)} (${body.byteLength} bytes)`
  truncated.set(body, text)
  return text
}

const secretName = /authorization|cookie|token|secret|password|api-?key/
const bearer = /^(bearer) ([\x21-\x7e]+)$/i
const anyKey = /sbx_[\w+-]+/g

/** Returns the headers of a request, truncated and with secrets masked: name, value, name, value. */
function toRecordedHeaders(request: ApiRequest, holder: KeyHolder | undefined): string[] {
  const headers: string[] = []
  let remaining = maximumHeaderSection
  request.forEachHeader((name, value) => {
    remaining -= name.length + Math.min(value.length, maximumHeader)
    if (remaining < 0 || headers.length === 2 * maximumHeaders) return
    const masked = secretName.test(name) ? maskSecret(name, value, holder) : maskKeys(value)
    headers.push(truncateHeader(name), truncateHeader(masked))
  })
  return headers
}

function truncateHeader(text: string): string {
  return text.length > maximumHeader ? truncate(text, maximumHeader - 1) : text
}

/** Masks every key in a string. */
function maskKeys(text: string): string {
  return text.includes('sbx_') ? text.replace(anyKey, maskApiKey) : text
}

function maskSecret(name: string, value: string, holder: KeyHolder | undefined): string {
  if (name === 'cookie') return value.split(';').map(maskCookie).join('; ')
  if (name !== 'authorization') return '…'
  if (holder) return `Bearer ${holder.maskedKey}`
  const [, scheme, apiKey] = bearer.exec(value) ?? []
  return apiKey === undefined ? '…' : `${scheme} ${maskApiKey(apiKey)}`
}

function maskCookie(pair: string): string {
  const end = pair.indexOf('=')
  return end < 0 ? '…' : `${maskKeys(pair.slice(0, end).trim())}=…`
}
