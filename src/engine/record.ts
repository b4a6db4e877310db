import { maskApiKey } from '../service/api-key.js'
import type { JsonText } from '../service/json-text.js'
import type { Change } from '../service/operations/change.js'
import { findNearestOperation } from '../service/operations/nearest.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import type { Journal } from '../world/journal/journal.js'
import type { Exchange } from './exchange.js'
import { toFact } from './fact.js'
import { maskHeader, maskJson, maskKeys, maskQuery, maskQueryValues } from './mask.js'
import { type ApiRequest, type ApiResponse, longBodyBytes } from './message.js'
import type { SandboxSettings } from './settings.js'

const maximumBody = 4_096
const maximumTarget = 1_024
const maximumHeaders = 50
/** Maximum number of characters in all header names and values of a request. */
const maximumHeaderSection = 4_096
const maximumHeader = 256

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * What the journal retains of a request:
 * - `full`: everything except credentials
 * - `shared`: the same, but only the headers on the allow-list, and no values in the query
 * - `outline`: method, path, status, code, explanation and times
 * - `none`: nothing; only the listeners of the sandbox receive an outline
 */
type Retention = 'full' | 'shared' | 'outline' | 'none'

/** Returns what the journal retains of a request, so that no client sees the data of another. */
function selectRetention({ request, holder, sandbox, isUnrecorded }: Exchange): Retention {
  if (isUnrecorded) return 'none'
  const { client } = request
  const { hidesSharedWorlds } = sandbox.settings.recording
  if (!client) return 'full'
  // On the machine of a developer, the journal shows why a key was rejected.
  if (!holder) return client.isLocal && !hidesSharedWorlds ? 'outline' : 'none'
  if (holder.world.name.label !== '') return 'full'
  return hidesSharedWorlds ? 'outline' : 'shared'
}

/** Whether a journal retains an entry of the request. */
export function isRetained(exchange: Exchange): boolean {
  return selectRetention(exchange) !== 'none'
}

/** Takes the id of the request's journal entry; 0 if no journal retains one. */
export function takeEntryId(exchange: Exchange): number {
  return selectRetention(exchange) === 'none' ? 0 : exchange.world.journal.takeId()
}

/**
 * Records the request and its response in the journal of the world, and notifies the sandbox.
 *
 * @param entryId The result of `takeEntryId`.
 */
export function record(exchange: Exchange, response: ApiResponse, entryId: number): void {
  const { request, route, code } = exchange
  const { operation } = route
  recordEntry(exchange, response, {
    id: entryId,
    address: request.address,
    operation,
    nearestOperation:
      operation === undefined ? findNearestOperation(request.method, request.path) : undefined,
    isUserHandled: false,
    code: response.status === 0 ? undefined : code,
  })
}

/** The fields of an entry that differ between the responses of the service and of user handlers. */
type RoutedFields = Pick<
  RecordedEntry,
  'id' | 'address' | 'operation' | 'nearestOperation' | 'isUserHandled' | 'code'
>

/** Records an entry with what its world may retain, and notifies the sandbox. */
export function recordEntry(exchange: Exchange, response: ApiResponse, fields: RoutedFields): void {
  const { request, world, sandbox, holder, apiKey } = exchange
  const retention = selectRetention(exchange)
  const hasDetails = retention === 'full' || retention === 'shared'
  const details = hasDetails ? toDetails(exchange, response, retention) : noDetails
  const path = maskKeys(truncate(request.path, maximumTarget))
  // One object literal: spreading the parts takes several times as long (measured).
  const entry: RecordedEntry = {
    id: fields.id,
    requestId: exchange.identifyRequest(fields.id),
    atMs: world.clock.now(),
    durationMs:
      Math.round((sandbox.settings.platform.monotonic() - exchange.startedAt) * 1_000) / 1_000,
    environment: exchange.environment,
    address: fields.address,
    method: request.method,
    path,
    query: details.query,
    operation: fields.operation,
    isUserHandled: fields.isUserHandled,
    nearestOperation: fields.nearestOperation,
    apiKey: holder?.maskedKey ?? (apiKey === undefined ? undefined : maskApiKey(apiKey)),
    requestHeaders: details.requestHeaders,
    requestBody: details.requestBody,
    status: response.status,
    aborted: exchange.isAborted,
    code: fields.code,
    responseHeaders: details.responseHeaders,
    responseBody: details.responseBody,
    explanation: toExplanation(exchange, hasDetails),
    changes: details.changes,
    incomplete: findIncomplete(exchange, response, details, fields.isUserHandled),
  }
  const notify = () => {
    exchange.endPending()
    sandbox.reportRequest(entry, world, holder, request.client)
  }
  if (retention === 'none') notify()
  else {
    const body = hasDetails ? entry.requestBody : toRecordedBody(exchange)
    world.record(entry, toFact(exchange, response, entry, body), notify)
  }
  if (request.onSent) trackSending(entry.id, request, world.journal, response)
}

/** The fields of an entry that an outline lacks. */
type Details = Pick<
  RecordedEntry,
  | 'query'
  | 'requestHeaders'
  | 'requestBody'
  | 'responseHeaders'
  | 'responseBody'
  | 'changes'
  | 'incomplete'
>

const noDetails: Details = {
  query: '',
  requestHeaders: [],
  requestBody: undefined,
  responseHeaders: [],
  responseBody: undefined,
  changes: [],
  incomplete: ['query', 'requestHeaders', 'requestBody', 'responseBody'],
}

function toDetails(
  exchange: Exchange,
  response: ApiResponse,
  retention: 'full' | 'shared',
): Details {
  const { request, changes } = exchange
  const query = truncate(request.query, maximumTarget)
  const { headers, incomplete } = toRecordedHeaders(exchange, retention)
  const lacksQuery = retention === 'shared' ? query !== '' : query.length > maximumTarget
  return {
    query: retention === 'shared' ? maskQueryValues(query) : maskQuery(query),
    requestHeaders: headers,
    requestBody: toRecordedBody(exchange),
    // The copy has no capacity for further headers.
    responseHeaders: response.headers.slice(),
    responseBody: response.body && toRecordedText(response.body),
    changes: changes.length === 0 ? changes : changes.map(maskChange),
    incomplete: lacksQuery ? [...incomplete, 'query'] : incomplete,
  }
}

/** Returns the parts of an entry that are truncated, or not retained. Undefined if there are none. */
function findIncomplete(
  { request, body }: Exchange,
  response: ApiResponse,
  { incomplete = [], responseBody }: Details,
  isUserHandled: boolean,
): readonly string[] | undefined {
  const isBodyLong = body === 'too-large' || (body?.byteLength ?? 0) > maximumBody
  const isResponseLong =
    (response.body?.byteLength ?? 0) > maximumBody && responseBody?.endsWith(' bytes)') === true
  const isPathLong = request.path.length > maximumTarget
  if (!isBodyLong && !isPathLong && !isUserHandled) {
    if (!isResponseLong) return incomplete.length > 0 ? incomplete : undefined
    if (incomplete.length === 0) return onlyResponseLong
  }
  const parts = [...incomplete]
  if (isPathLong) parts.push('path')
  if (isBodyLong) parts.push('requestBody')
  if (isResponseLong || isUserHandled) parts.push('responseBody')
  return parts
}

/** Shared by many entries. */
const onlyResponseLong = ['responseBody']

/** Lets `waitFor` wait until a response has been sent, if somebody waits now or it may take long. */
function trackSending(
  id: number,
  request: ApiRequest,
  journal: Journal,
  { body }: ApiResponse,
): void {
  if (id === 0 || (journal.listenerCount === 0 && (body?.byteLength ?? 0) < longBodyBytes)) return
  let end = () => {}
  journal.unsent.set(id, new Promise((resolve) => (end = resolve)))
  request.onSent?.(() => {
    journal.unsent.delete(id)
    end()
  })
}

const allowedHeader =
  /^(?:content-.*|accept(?:-.*)?|user-agent|prefer|idempotency-key|traceparent|x-request-id|authorization)$/

/** Whether the journal of a shared world retains a request header. */
function isAllowed(name: string, added: SandboxSettings['recording']['journalHeaders']): boolean {
  return allowedHeader.test(name) || added.has(name)
}

/** Statuses of messages that quote the body or a header of the request. */
const quotingStatuses: readonly number[] = [400, 415]

const rejection = /^(rejected with (\d+) [^:]*): /

/**
 * Returns the explanation with masked keys; for an outline, without quotations of the request. Only
 * the message of a rejection, which is the last line unless the response was late, has text of the
 * client.
 */
function toExplanation({ explanation, code }: Exchange, hasDetails: boolean): readonly string[] {
  // The copy has no capacity for further lines.
  if (code === undefined) return explanation.slice()
  return explanation.map((line) => {
    const [, summary, status] = rejection.exec(line) ?? []
    if (summary === undefined) return line
    const isQuoting = !hasDetails && quotingStatuses.includes(Number(status))
    return isQuoting ? summary : maskKeys(line)
  })
}

/** Masks the keys in a change, and truncates it. Only messages have text of the client. */
function maskChange(change: Change): Change {
  if (change.type !== 'message.queued') return change
  const message = maskKeys(truncate(change.message.message, maximumBody))
  return message === change.message.message
    ? change
    : { ...change, message: { ...change.message, message } }
}

/**
 * Truncates a string. Copies the characters, because a slice would retain the original in memory.
 * Encoding and decoding is the fastest copy (measured).
 */
function truncate(text: string, length: number): string {
  return text.length > length ? `${decoder.decode(encoder.encode(text.slice(0, length)))}…` : text
}

const formType = /^application\/x-www-form-urlencoded\b/i

function toRecordedBody({ request, body }: Exchange): string | undefined {
  if (body === undefined) return undefined
  if (body === 'too-large') return '(too large)'
  const isForm = formType.test(request.header('content-type') ?? '')
  const text = decoder.decode(body.subarray(0, maximumBody))
  const masked = isForm ? maskQuery(text) : maskJson(text)
  return body.byteLength > maximumBody ? `${masked}… (${body.byteLength} bytes)` : masked
}

/**
 * Truncates and masks the body of a response. The result is cached for all responses that share the
 * body.
 */
function toRecordedText(body: JsonText): string {
  body.recorded ??= maskResponse(body)
  return body.recorded
}

function maskResponse(body: JsonText): string {
  const head = body.text.slice(0, maximumBody + 1)
  if (head.length <= maximumBody) return maskJson(head)
  return `${maskJson(truncate(head, maximumBody))} (${body.byteLength} bytes)`
}

/**
 * Returns the headers of a request, truncated and masked: name, value, name, value; and the parts of
 * them that the journal lacks, as in the entry.
 */
function toRecordedHeaders(
  { request, holder, sandbox }: Exchange,
  retention: 'full' | 'shared',
): { headers: readonly string[]; incomplete: readonly string[] } {
  const { journalHeaders } = sandbox.settings.recording
  const headers: string[] = []
  const incomplete: string[] = []
  let isPartial = false
  let remaining = maximumHeaderSection
  request.forEachHeader((name, value) => {
    const isHeaderRetained = retention === 'full' || isAllowed(name, journalHeaders)
    if (isHeaderRetained) remaining -= name.length + Math.min(value.length, maximumHeader)
    if (!isHeaderRetained || remaining < 0 || headers.length === 2 * maximumHeaders) {
      isPartial = true
      return
    }
    if (value.length > maximumHeader) incomplete.push(`requestHeaders.${name}`)
    const masked = maskHeader(name, truncateHeader(value), holder)
    headers.push(maskKeys(truncateHeader(name)), truncateHeader(masked))
  })
  if (isPartial) incomplete.push('requestHeaders')
  return { headers: headers.slice(), incomplete }
}

function truncateHeader(text: string): string {
  return text.length > maximumHeader ? truncate(text, maximumHeader - 1) : text
}
