import { type FactFields, factFlags } from '../world/journal/fact-fields.js'
import type { RecordedEntry } from '../world/journal/journal.js'
import { RecentFailures } from '../world/journal/recent-failures.js'
import type { Exchange } from './exchange.js'
import {
  type ApiRequest,
  type ApiResponse,
  cachedTargetLength,
  type RequestBody,
} from './message.js'
import { isJson } from './read.js'

/** The fields of a journal entry that its fact depends on. */
type RecordedFields = Pick<RecordedEntry, 'atMs' | 'durationMs' | 'status' | 'code'>

/** Returns what a report needs of a request in addition to its journal entry. */
export function toFactFields(
  exchange: Exchange,
  response: ApiResponse,
  { atMs, durationMs, status, code }: RecordedFields,
): FactFields {
  const { request, holder, world, rateLimit, isAborted } = exchange
  const isLost = (status === 0 && !isAborted) || response.fault !== undefined
  let flags = toRequestFlags(exchange) | toPetFlag(exchange, code)
  if (rateLimit !== undefined) flags |= factFlags.metered
  if (isLost) flags |= factFlags.lost
  if (exchange.isSimulated) flags |= factFlags.simulated
  if (exchange.changes.length > 0) flags |= factFlags.changed
  const fingerprint = toFingerprint(request, exchange.body)
  const isFailed = status === 0 || status >= 400 || isLost
  if (isRepeated(exchange, fingerprint, isFailed)) flags |= factFlags.repeated
  return [
    holder?.accountId ?? null,
    exchange.arrivedAtMs ?? atMs,
    Math.round(isAborted ? durationMs : Math.max(durationMs, exchange.delayMs)),
    fingerprint,
    rateLimit?.limit ?? 0,
    rateLimit?.remaining ?? 0,
    exchange.retryAfterSeconds ?? null,
    world.revision % 2 ** 16,
    flags,
  ]
}

function toRequestFlags({ request, route, world }: Exchange): number {
  const { endpoint } = route
  if (endpoint?.type !== 'service') return 0
  let flags = 0
  if (endpoint.definition.request) {
    const isAccepted = isJson(request.header('content-type'))
    flags |= isAccepted ? factFlags.jsonType : factFlags.otherType
    if (request.header('idempotency-key') !== undefined) flags |= factFlags.idempotencyKey
  }
  if (endpoint.definition.deprecated) {
    flags |= factFlags.deprecated
    if (world.clock.now() >= world.deprecation.sunsetAtMs) flags |= factFlags.afterSunset
  }
  return flags
}

/**
 * Whether the client had received the response to the same request, which failed. Remembers the
 * request if it fails now.
 */
function isRepeated(exchange: Exchange, fingerprint: number, isFailed: boolean): boolean {
  const { request, world, holder } = exchange
  const { connection, client } = request
  if (!isFailed && connection?.failed === undefined && !world.failures) return false
  const id = `${fingerprint} ${holder?.accountId ?? ''}`
  if (connection) {
    const isSame = connection.failed === id
    connection.failed = isFailed ? id : undefined
    return isSame
  }
  if (client) return false
  const isReceived = world.failures?.hasReceived(id, exchange.receivedFailures) === true
  if (isFailed) {
    world.failures ??= new RecentFailures()
    world.failures.add(id)
  } else world.failures?.remove(id)
  return isReceived
}

/** Number of digits from which a number may not represent an integer exactly. */
const longIdDigits = 16

/** Returns the flag of the pet in the path, if its id is long. */
function toPetFlag({ route, world }: Exchange, code: string | undefined): number {
  const petId = route.params?.petId
  if (petId === undefined || petId.length < longIdDigits) return 0
  if (code !== 'pet_not_found' && code !== 'invalid_parameter') {
    return !Number.isSafeInteger(Number(petId)) && world.db.findItem(petId) ? factFlags.longId : 0
  }
  for (const item of world.db.inventory()) {
    if (item.petId.length >= longIdDigits && isRounded(item.petId, petId)) {
      return factFlags.roundedId
    }
  }
  return 0
}

/** Whether an id becomes another one if it is read as a JavaScript number, and written again. */
function isRounded(petId: string, written: string): boolean {
  const number = Number(petId)
  if (Number.isSafeInteger(number) || written === petId) return false
  return written === String(number) || written === String(BigInt(number))
}

/** Number of characters of a target, and of bytes at each end of a body, that are hashed. */
const hashedTarget = 1_024
const hashedBody = 256

/**
 * Returns a hash of what a client repeats if it sends a request again: an integer below 2^48. Cached
 * while a connection repeats a request without a body.
 */
function toFingerprint(request: ApiRequest, body: RequestBody): number {
  const { method, address, path, query, repeated } = request
  if (!repeated || body !== undefined) return hashRequest(request, body)
  const { fingerprint: known } = repeated
  const isKnown =
    known?.method === method &&
    known.address === address &&
    known.path === path &&
    known.query === query
  if (isKnown) return known.value
  const value = hashRequest(request, body)
  // The memory that is reserved for repeated headers includes a short target.
  if (path.length + query.length <= cachedTargetLength) {
    repeated.fingerprint = { method, address, path, query, value }
  }
  return value
}

/** Returns two FNV-1a hashes with different primes as one number. */
function hashRequest(request: ApiRequest, body: RequestBody): number {
  const { method, address, path, query } = request
  const target = `${method} ${address}${path}?${query}`
  const prefer = request.header('prefer') ?? ''
  const text = `${target.slice(0, hashedTarget)} ${target.length} ${prefer} ${toHashed(body)}`
  let low = 0x811c9dc5
  let high = low
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
  }
  return (low >>> 0) + (high & 0xffff) * 2 ** 32
}

/** Returns the part of a body that is hashed, with a character for each byte. */
function toHashed(body: RequestBody): string {
  if (body === undefined || body === 'too-large') return body ?? ''
  const ends = [...body.subarray(0, hashedBody), ...body.subarray(-hashedBody)]
  return `${body.length} ${String.fromCharCode(...ends)}`
}
