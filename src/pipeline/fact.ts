import type { ErrorCode } from '../contract/errors.js'
import { type FactFields, factFlags } from '../world/journal/facts.js'
import type { RecordedEntry } from '../world/journal/journal.js'
import { RecentFailures } from '../world/journal/recent-failures.js'
import type { Exchange } from './exchange.js'
import type { ApiRequest, ApiResponse, RequestBody } from './message.js'
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
  return {
    account: holder?.accountId ?? null,
    arrivedAtMs: exchange.arrivedAtMs ?? atMs,
    waitedMs: Math.round(isAborted ? durationMs : Math.max(durationMs, exchange.delayMs)),
    fingerprint,
    limit: rateLimit?.limit ?? 0,
    remaining: rateLimit?.remaining ?? 0,
    retryAfterSeconds: exchange.retryAfterSeconds ?? null,
    revision: world.revision % 2 ** 16,
    flags,
  }
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

const unknownPetCodes: readonly (ErrorCode | string | undefined)[] = [
  'pet_not_found',
  'invalid_parameter',
]

/** Returns the flag of the pet in the path, if its id is long. */
function toPetFlag({ route, world }: Exchange, code: string | undefined): number {
  const petId = route.params?.petId
  if (petId === undefined || petId.length < longIdDigits) return 0
  if (!unknownPetCodes.includes(code)) {
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

const offset = 0x811c9dc5
const prime = 0x01000193
const otherPrime = 0x5bd1e995
/** Number of characters of a target, and of bytes at each end of a body, that are hashed. */
const hashedTarget = 512
const hashedBody = 256

/** Returns a hash of what a client repeats if it sends a request again: an integer below 2^48. */
function toFingerprint(request: ApiRequest, body: RequestBody): number {
  const { method, address, path, query } = request
  const hash = new Hash()
  hash.addText(method)
  hash.addText(address)
  hash.addText(path)
  hash.addText(query)
  const prefer = request.header('prefer')
  if (prefer !== undefined) hash.addText(prefer)
  if (body === 'too-large') hash.addText(body)
  else if (body !== undefined) hash.addBody(body)
  return hash.value
}

/** Two FNV-1a hashes with different primes. */
class Hash {
  #low = offset
  #high = offset

  addText(text: string): void {
    const length = Math.min(text.length, hashedTarget)
    for (let at = 0; at < length; at += 1) this.#add(text.charCodeAt(at))
    this.#add(text.length)
  }

  addBody(body: Uint8Array): void {
    const { length } = body
    const head = Math.min(length, hashedBody)
    for (let at = 0; at < head; at += 1) this.#add(body[at] ?? 0)
    for (let at = Math.max(head, length - hashedBody); at < length; at += 1) {
      this.#add(body[at] ?? 0)
    }
    this.#add(length)
  }

  /** An integer below 2^48. */
  get value(): number {
    return (this.#low >>> 0) + (this.#high & 0xffff) * 2 ** 32
  }

  #add(value: number): void {
    this.#low = Math.imul(this.#low ^ value, prime)
    this.#high = Math.imul(this.#high ^ value, otherPrime)
  }
}
