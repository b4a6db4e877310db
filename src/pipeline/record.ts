import { maskApiKey } from '../contract/api-key.js'
import type { JsonText } from '../contract/json-text.js'
import { findNearestOperation } from '../operations/nearest.js'
import type { Exchange } from './exchange.js'
import type { ApiRequest, ApiResponse } from './message.js'
import { copyText, maskKeys, toRecordedHeaders } from './redact.js'

const keptCharacters = 4_096
const keptTarget = 1_024
const decoder = new TextDecoder()

/** Writes the call and its answer into the journal of its world and tells the sandbox. */
export function record(exchange: Exchange, answer: ApiResponse, code: string | undefined): void {
  const { call, world, host } = exchange
  const entry = world.journal.record({
    atMs: world.clock.now(),
    durationMs: host.monotonic() - exchange.startedAt,
    environment: exchange.environment,
    address: call.address,
    method: call.method,
    path: cut(call.path),
    query: cut(maskKeys(call.query)),
    operation: exchange.operation,
    nearestOperation:
      exchange.operation === undefined ? findNearestOperation(call.method, call.path) : undefined,
    apiKey: exchange.apiKey === undefined ? undefined : maskApiKey(exchange.apiKey),
    requestHeaders: toRecordedHeaders(call),
    requestBody: toKeptBody(call.body),
    status: answer.status,
    code,
    responseHeaders: answer.headers,
    responseBody: answer.body && toKeptText(answer.body),
    explanation: exchange.explanation,
    changes: exchange.changes,
  })
  host.onRequest(entry, world)
}

function cut(text: string): string {
  return text.length > keptTarget ? `${copyText(text.slice(0, keptTarget))}…` : text
}

function toKeptBody(body: ApiRequest['body']): string | undefined {
  if (body === undefined) return undefined
  if (body === 'too-large') return '(too large)'
  const text = decoder.decode(body.subarray(0, keptCharacters))
  return body.byteLength > keptCharacters ? `${text}… (${body.byteLength} bytes)` : text
}

const shortened = new WeakMap<JsonText, string>()

/** The text of a body, shortened once for all the answers that share it. */
function toKeptText(body: JsonText): string {
  if (body.text.length <= keptCharacters) return body.text
  const known = shortened.get(body)
  if (known !== undefined) return known
  const text = `${copyText(body.text.slice(0, keptCharacters))}… (${body.byteLength} bytes)`
  shortened.set(body, text)
  return text
}
