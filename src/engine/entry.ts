import type { World } from '../control/world.js'
import { maskApiKey } from '../service/api-key.js'
import { requestIdHeader } from '../service/headers.js'
import type { JsonText } from '../service/json-text.js'
import { maskHeader, maskJson, maskKeys, maskQuery } from '../service/mask.js'
import type { Change } from '../service/operations/operation.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import type { FactTraits, RequestFact } from '../world/journal/facts.js'
import { type ApiRequest, type ApiResponse, type Exchange, longBodyBytes } from './exchange.js'
import { bearer } from './keys.js'
import { isJson } from './read.js'
import { toRequestId, worldOf } from './response.js'
import { findNearestOperation } from './route.js'

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
export function selectRetention({ request, holder, sandbox, isUnavailable }: Exchange): Retention {
  if (isUnavailable) return 'none'
  const { client } = request
  const hidesSharedWorlds = sandbox.access.signer !== undefined
  if (!client) return 'full'
  // On the machine of a developer, the journal shows why a key was rejected.
  if (!holder) return client.isLocal && !hidesSharedWorlds ? 'outline' : 'none'
  if (holder.world.name.label !== '') return 'full'
  return hidesSharedWorlds ? 'outline' : 'shared'
}

/** Lists the request among the pending requests of its world, because it has to wait. */
export function beginPending(exchange: Exchange): void {
  const { request, route, holder } = exchange
  if (!exchange.isService || exchange.pending) return
  const { clock, journal } = worldOf(exchange)
  exchange.pending = {
    receivedAtMs: clock.now(),
    address: request.address,
    method: request.method,
    path: toRecordedPath(request.path),
    operation: route.endpoint?.id,
    apiKey: holder?.maskedKey,
  }
  // Called by the journal: a client in the same process may read it before the abort event.
  journal.pending.set(exchange.pending, () => request.isAborted)
}

/**
 * Adds the entry of a request to the journal, with what it may retain, and notifies the sandbox.
 *
 * @returns The response with the id of the request, unless a handler of the user has responded.
 */
export function finishResponse(exchange: Exchange, response: ApiResponse): ApiResponse {
  const { request, sandbox, holder, pending } = exchange
  const world = worldOf(exchange)
  const { journal } = world
  const retention = selectRetention(exchange)
  if (retention !== 'none') journal.lastId += 1
  const id = retention === 'none' ? 0 : journal.lastId
  const headers = [...response.headers, requestIdHeader, toRequestId(exchange, id)]
  const hasId = response.status !== 0 && !exchange.userHandled
  const identified = hasId ? { ...response, headers } : response
  const body = exchange.body && toRequestText(request, exchange.body)
  const entry = toEntry(exchange, identified, id, retention, body)
  const notify = () => {
    if (pending) journal.pending.delete(pending)
    const { requests } = sandbox
    if (requests.all.size > 0) requests.notify(entry, world, holder, request.client)
    // If the entry is in no journal, the request was not charged to a world.
    if (id !== 0) world.onChange('requests')
  }
  if (id === 0) notify()
  else world.log(entry, toFact(exchange, response, entry, body), notify)
  const isLong = (response.body?.byteLength ?? 0) >= longBodyBytes
  // Makes `waitFor` wait until the response is sent, if there is a `waitFor`, or sending may take long.
  if (request.onSent && (isLong || journal.listeners.all.size > 0)) {
    journal.unsent.set(id, new Promise((resolve) => request.onSent?.(resolve)))
    request.onSent(() => journal.unsent.delete(id))
  }
  return identified
}

/** @param requestBody The body of the request, truncated and masked. */
function toEntry(
  exchange: Exchange,
  response: ApiResponse,
  id: number,
  retention: Retention,
  requestBody: string | undefined,
): RecordedEntry {
  const { request, holder, body, code, explanation, userHandled, startedAt, sandbox } = exchange
  const { method, path } = request
  const operation = exchange.isService ? exchange.route.endpoint?.id : undefined
  const isShared = retention === 'shared'
  const hasDetails = isShared || retention === 'full'
  const incomplete = hasDetails ? [] : ['query', 'requestHeaders', 'requestBody', 'responseBody']
  const requestHeaders = hasDetails ? toRequestHeaders(exchange, isShared, incomplete) : []
  const query = hasDetails ? truncate(request.query, maximumTarget) : ''
  if (query !== '' && (isShared || query.length > maximumTarget)) incomplete.push('query')
  if (path.length > maximumTarget) incomplete.push('path')
  const bodyLength = body === 'too-large' ? Infinity : (body?.byteLength ?? 0)
  if (hasDetails && bodyLength > maximumBody) incomplete.push('requestBody')
  const sent = hasDetails && response.body
  const responseBody = sent ? (sent.recorded ?? toResponseText(sent)) : undefined
  // The headers of a fault may contain a key.
  const sentHeaders = exchange.injection.end ? response.headers.map(maskKeys) : response.headers
  // No JSON ends with the mark of a truncated body.
  if (userHandled || responseBody?.endsWith(' bytes)')) incomplete.push('responseBody')
  // One object literal: spreading the parts takes several times as long (measured).
  return {
    id,
    requestId: toRequestId(exchange, id),
    atMs: worldOf(exchange).clock.now(),
    durationMs: Math.round((sandbox.settings.platform.monotonic() - startedAt) * 1_000) / 1_000,
    environment: exchange.environment,
    address: userHandled ? userHandled.address : request.address,
    method,
    path: toRecordedPath(path),
    query: query && maskQuery(query, isShared),
    operation,
    isUserHandled: userHandled !== undefined,
    nearestOperation: operation || userHandled ? undefined : findNearestOperation(method, path),
    apiKey: holder?.maskedKey ?? maskInvalidKey(request),
    requestHeaders,
    requestBody: hasDetails ? requestBody : undefined,
    status: response.status,
    aborted: exchange.isAborted === true,
    code: response.status === 0 ? undefined : code,
    responseHeaders: hasDetails ? sentHeaders : [],
    responseBody,
    explanation: code === undefined ? [...explanation] : maskExplanation(exchange, hasDetails),
    changes: hasDetails ? exchange.changes.map(maskChange) : [],
    incomplete: incomplete.length > 0 ? incomplete : undefined,
  }
}

/** Returns the invalid key of a request, masked. */
function maskInvalidKey(request: ApiRequest): string | undefined {
  const [, apiKey] = bearer.exec(request.header('authorization') ?? '') ?? []
  return apiKey && maskApiKey(apiKey)
}

/** Returns a path for an entry, truncated and masked. */
function toRecordedPath(path: string): string {
  return maskKeys(truncate(path, maximumTarget))
}

const allowedHeader =
  /^(?:content-.*|accept(?:-.*)?|user-agent|prefer|idempotency-key|traceparent|x-request-id|authorization)$/

/**
 * Returns the headers of a request, truncated and masked: name, value, name, value.
 *
 * @param isShared Whether the journal retains only the allowed headers.
 * @param incomplete Receives the parts that the journal lacks.
 */
function toRequestHeaders(
  { request, holder, sandbox }: Exchange,
  isShared: boolean,
  incomplete: string[],
): readonly string[] {
  const { journalHeaders } = sandbox.settings
  const headers: string[] = []
  let isPartial = false
  let remaining = maximumHeaderSection
  request.forEachHeader((name, value) => {
    const isHeaderRetained = !isShared || allowedHeader.test(name) || journalHeaders.has(name)
    if (isHeaderRetained) remaining -= name.length + Math.min(value.length, maximumHeader)
    if (!isHeaderRetained || remaining < 0 || headers.length === 2 * maximumHeaders) {
      isPartial = true
      return
    }
    if (value.length > maximumHeader) incomplete.push(`requestHeaders.${name}`)
    const masked = maskHeader(name, truncate(value, maximumHeader), holder?.maskedKey)
    headers.push(
      maskKeys(truncate(name, maximumHeader)),
      truncate(masked, maximumHeader, maximumHeader - 1),
    )
  })
  if (isPartial) incomplete.push('requestHeaders')
  return headers
}

/** Statuses of messages that quote the body or a header of the request. */
const quotingStatuses: readonly number[] = [400, 415]

const rejection = /^(rejected with (\d+) [^:]*): /

/**
 * Returns the explanation with masked keys; for an outline, without quotations of the request. Only the
 * message of a rejection has text of the client; it is the last line unless the response was late.
 */
function maskExplanation({ explanation }: Exchange, hasDetails: boolean): readonly string[] {
  return explanation.map((line) => {
    const [, summary, status] = rejection.exec(line) ?? []
    const isQuoting = summary && !hasDetails && quotingStatuses.includes(Number(status))
    return isQuoting ? summary : maskKeys(line)
  })
}

/** Masks the keys in a change, and truncates it. Only messages have text of the client. */
function maskChange(change: Change): Change {
  if (change.type !== 'message.queued') return change
  const message = maskKeys(truncate(change.message.message, maximumBody))
  return { ...change, message: { ...change.message, message } }
}

/**
 * Truncates a string. Copies the characters, because a slice would retain the original in memory.
 *
 * @param shown Number of characters before the `…`.
 */
function truncate(text: string, length: number, shown = length): string {
  return text.length > length ? `${decoder.decode(encoder.encode(text.slice(0, shown)))}…` : text
}

const formType = /^application\/x-www-form-urlencoded\b/i

/** Returns the body of a request, truncated and masked. */
function toRequestText(request: ApiRequest, body: Uint8Array | 'too-large'): string {
  if (body === 'too-large') return '(too large)'
  const isForm = formType.test(request.header('content-type') ?? '')
  const text = decoder.decode(body.subarray(0, maximumBody))
  const masked = isForm ? maskQuery(text) : maskJson(text)
  return body.byteLength > maximumBody ? `${masked}… (${body.byteLength} bytes)` : masked
}

/** Returns the body of a response, truncated and masked. Cached for all responses that share it. */
function toResponseText(body: JsonText): string {
  const masked = maskJson(truncate(body.text, maximumBody))
  const isTruncated = body.text.length > maximumBody
  body.recorded = isTruncated ? `${masked} (${body.byteLength} bytes)` : masked
  return body.recorded
}

/** Returns the facts about a request for reports. `body` is the request body, masked. */
function toFact(
  exchange: Exchange,
  response: ApiResponse,
  entry: RecordedEntry,
  body = '',
): RequestFact {
  const { request, holder, rateLimit, isAborted, chargedAtMs = entry.atMs, injection } = exchange
  const world = worldOf(exchange)
  const { currentStep } = world
  let revision = currentStep?.isDeferring ? currentStep.changes.length : 0
  for (const count of Object.values(world.db.changeCounts)) revision += count
  const parts = [request.method, `${request.address}${entry.path}`]
  if (request.query !== '') parts.push(`?${shorten(maskQuery(request.query))}`)
  if (body !== '') parts.push(shorten(body))
  const delayMs = isAborted ? 0 : injection.delayMs
  return {
    id: entry.id,
    afterId: world.journal.findSentBefore(exchange.order, entry.atMs - entry.durationMs),
    connection: request.connection?.fact,
    arrival: request.connection && exchange.order,
    // The clock of the world can move back.
    arrivedAtMs: Math.min(chargedAtMs, entry.atMs),
    atMs: entry.atMs,
    realAtMs: world.clock.realNow(),
    waitedMs: Math.round(Math.max(entry.durationMs, delayMs)),
    account: holder?.accountId ?? null,
    apiKey: entry.apiKey,
    operation: entry.operation,
    // Clients choose the method, and faults the code.
    method: entry.method.slice(0, 16),
    // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
    text: parts.join(' '),
    status: entry.status,
    code: entry.code?.slice(0, 64),
    limit: rateLimit?.limit ?? 0,
    remaining: rateLimit?.remaining ?? 0,
    retryAfterSeconds: exchange.retryAfterSeconds,
    revision,
    traits: toTraits(exchange, response, entry),
  }
}

function toTraits(exchange: Exchange, response: ApiResponse, entry: RecordedEntry): FactTraits {
  const { request, route } = exchange
  const world = worldOf(exchange)
  const traits: FactTraits = {}
  if (exchange.rateLimit !== undefined) traits.metered = true
  if (entry.aborted) traits.aborted = true
  if (entry.status === 0 || response.truncated) traits.lost = true
  if (exchange.injection.end) traits.simulated = true
  if (entry.isUserHandled) traits.userHandled = true
  if (exchange.changes.length > 0) traits.changed = true
  if (route.endpoint?.type !== 'service') return traits
  const { request: takesBody, deprecated } = route.endpoint.definition
  if (takesBody) traits[isJson(request.header('content-type')) ? 'jsonType' : 'otherType'] = true
  if (takesBody && request.header('idempotency-key') !== undefined) traits.idempotencyKey = true
  if (deprecated) traits.deprecated = true
  if (deprecated && entry.atMs >= world.deprecation.sunsetAtMs) traits.afterSunset = true
  const { petId } = route.params ?? {}
  const idTrait = petId && findIdTrait(petId, entry, world.db)
  if (idTrait) traits[idTrait] = true
  return traits
}

/** Number of digits from which a number may not represent an integer exactly. */
const longIdDigits = 16

/** Returns the facts about a long id of a pet in the path. */
function findIdTrait(
  petId: string,
  { code }: RecordedEntry,
  db: World['db'],
): 'longId' | 'roundedId' | undefined {
  if (petId.length < longIdDigits) return undefined
  if (code === 'pet_not_found' || code === 'invalid_parameter') {
    return db.pets.ids().some((id) => isRounded(id, petId)) ? 'roundedId' : undefined
  }
  return Number.isSafeInteger(Number(petId)) || !db.pets.find(petId) ? undefined : 'longId'
}

/** Whether an id changes if it is read as a JavaScript number, and written again. */
function isRounded(id: string, written: string): boolean {
  if (written === id) return false
  const number = Number(id)
  return written === String(number) || written === String(BigInt(number))
}

/** Maximum length of each end of a long part of a text. */
const endLength = 256

function shorten(text: string): string {
  if (text.length <= 2 * endLength) return text
  return `${text.slice(0, endLength)}… ${text.length} …${text.slice(-endLength)}`
}
