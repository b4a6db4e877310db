import type { RecordedEntry } from '../world/journal/entry.js'
import type { FactTraits, RequestFact } from '../world/journal/facts.js'
import type { Exchange } from './exchange.js'
import { maskQuery } from './mask.js'
import type { ApiResponse } from './message.js'
import { isJson } from './read.js'

/**
 * Returns what reports need of a request.
 *
 * @param body The body of the request as the journal may contain it.
 */
export function toFact(
  exchange: Exchange,
  response: ApiResponse,
  entry: RecordedEntry,
  body: string | undefined,
): RequestFact {
  const { request, holder, world, rateLimit, isAborted, arrivedAtMs = entry.atMs } = exchange
  const { journal } = world
  const traits = toTraits(exchange, entry)
  if ((entry.status === 0 && !isAborted) || response.fault !== undefined) traits.lost = true
  const text = toText(exchange, entry, body)
  const before = journal.facts.find(text)
  return {
    id: entry.id,
    afterId: journal.findSentBefore(exchange.order),
    connection: request.connection?.line,
    arrival: request.connection && exchange.order,
    // The clock of the world can move back.
    arrivedAtMs: Math.min(arrivedAtMs, entry.atMs),
    atMs: entry.atMs,
    realAtMs: world.clock.realNow(),
    waitedMs: Math.round(
      isAborted ? entry.durationMs : Math.max(entry.durationMs, exchange.delayMs),
    ),
    account: holder?.accountId ?? null,
    apiKey: entry.apiKey,
    operation: entry.operation,
    // Clients and handlers of the user can choose the method and the code.
    method: entry.method.slice(0, 16),
    // Facts with the same text share one string.
    text: before?.text ?? text,
    status: entry.status,
    code: entry.code?.slice(0, 64),
    limit: rateLimit?.limit ?? 0,
    remaining: rateLimit?.remaining ?? 0,
    retryAfterSeconds: exchange.retryAfterSeconds,
    revision: world.revision,
    traits,
  }
}

function toTraits(exchange: Exchange, { aborted, isUserHandled, code }: RecordedEntry): FactTraits {
  const { request, route, world } = exchange
  const traits: FactTraits = {}
  if (exchange.rateLimit !== undefined) traits.metered = true
  if (aborted) traits.aborted = true
  if (exchange.isSimulated) traits.simulated = true
  if (isUserHandled) traits.userHandled = true
  if (exchange.changes.length > 0) traits.changed = true
  const { endpoint } = route
  if (endpoint?.type !== 'service') return traits
  if (endpoint.definition.request) {
    traits[isJson(request.header('content-type')) ? 'jsonType' : 'otherType'] = true
    if (request.header('idempotency-key') !== undefined) traits.idempotencyKey = true
  }
  if (endpoint.definition.deprecated) {
    traits.deprecated = true
    if (world.clock.now() >= world.deprecation.sunsetAtMs) traits.afterSunset = true
  }
  const idTrait = findIdTrait(exchange, code)
  if (idTrait) traits[idTrait] = true
  return traits
}

/** Number of digits from which a number may not represent an integer exactly. */
const longIdDigits = 16

/** Returns what is true of the id of the pet in the path, if it is long. */
function findIdTrait(
  { route, world }: Exchange,
  code: string | undefined,
): 'longId' | 'roundedId' | undefined {
  const petId = route.params?.petId
  if (petId === undefined || petId.length < longIdDigits) return undefined
  if (code !== 'pet_not_found' && code !== 'invalid_parameter') {
    const isLong = !Number.isSafeInteger(Number(petId)) && world.db.findItem(petId) !== undefined
    return isLong ? 'longId' : undefined
  }
  for (const item of world.db.inventory()) {
    if (item.petId.length >= longIdDigits && isRounded(item.petId, petId)) return 'roundedId'
  }
  return undefined
}

/** Whether an id becomes another one if it is read as a JavaScript number, and written again. */
function isRounded(petId: string, written: string): boolean {
  const number = Number(petId)
  if (Number.isSafeInteger(number) || written === petId) return false
  return written === String(number) || written === String(BigInt(number))
}

/** Maximum length of each end of a long part of a text. */
const endLength = 256

function toText({ request }: Exchange, { path }: RecordedEntry, body = ''): string {
  const { method, address, query } = request
  const parts = [method, `${address}${path}`]
  if (query !== '') parts.push(`?${shorten(maskQuery(query))}`)
  if (body !== '') parts.push(shorten(body))
  // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
  return parts.join(' ')
}

function shorten(text: string): string {
  if (text.length <= 2 * endLength) return text
  return `${text.slice(0, endLength)}… ${text.length} …${text.slice(-endLength)}`
}
