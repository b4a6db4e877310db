import type { PlanId } from '../service/plans.js'
import { toCount } from '../service/validation/message.js'
import {
  type CheckAddress,
  type CheckClient,
  type CheckRequest,
  type CheckUrls,
  type Exchange,
  Skip,
} from './check.js'
import { authorizations } from './curl.js'
import { isSuccess, toObject } from './deviation.js'
import { tryParseExactJson } from './exact-json.js'
import { type Entry, findEntry, listInventory, update } from './inventory.js'
import { formatSeconds, LimitWait, type LimitWaitOptions } from './limit-wait.js'
import { describeRejection, readDate, readRateLimit, readRetryAfter } from './rate-limit.js'
import { RequestFailure, type Send, type SentRequest } from './request.js'

/** The run must end: no more requests may be sent. The message says why. */
export class Stop extends Error {
  override readonly name = 'Stop'
}

export interface SessionOptions extends LimitWaitOptions {
  readonly urls: CheckUrls
  readonly key: string
  /** The key of staging. Default: `key`. */
  readonly stagingKey?: string | undefined
  readonly plan?: PlanId | undefined
  readonly petId?: string | undefined
  readonly send: Send
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The limit of a key, as its latest response states it. */
interface KnownLimit {
  readonly remaining: number
  /** Time of the monotonic clock at which the limit resets. */
  readonly resetsAtMs: number
}

/** A quantity that a check changed, and that was not restored. */
export interface Unrestored {
  readonly petId: string
  readonly quantity: number
  readonly reason: string
}

/** Sends the requests of a run, within the limits of the key, and restores what they change. */
export class Session implements CheckClient {
  readonly urls: CheckUrls
  readonly plan: PlanId | undefined
  readonly petId: string | undefined
  readonly exchanges: Exchange[] = []
  /** Number of requests in a row that had no response. */
  failures = 0
  readonly #options: SessionOptions
  readonly #observed = new Map<string, { readonly exchange: Exchange; readonly atMs: number }>()
  readonly #limits = new Map<'production' | 'staging', KnownLimit>()
  readonly #limitWait: LimitWait
  /** The entries that may have changed, as they were before. */
  readonly #changed = new Map<string, { readonly before: Entry; readonly hasStatus: boolean }>()

  constructor(options: SessionOptions) {
    this.#options = options
    this.#limitWait = new LimitWait(options)
    this.urls = options.urls
    this.plan = options.plan
    this.petId = options.petId
  }

  // Properties, so that a check can destructure them.
  readonly send: CheckClient['send'] = async (request, { mayExceed = false } = {}) => {
    this.#options.signal?.throwIfAborted()
    if (!mayExceed) await this.makeRoom(1, request.address)
    const exchange = await this.#exchange(request, this.#options.signal)
    if (exchange.status === 429 && !mayExceed) throw new Stop(describeStop(exchange))
    return exchange
  }

  readonly observe: CheckClient['observe'] = async (request, { maxAgeMs = Infinity } = {}) => {
    const id = JSON.stringify(request)
    const known = this.#observed.get(id)
    const now = this.#options.monotonic()
    if (known && now - known.atMs <= maxAgeMs) return known.exchange
    const exchange = await this.send(request)
    this.#observed.set(id, { exchange, atMs: now })
    return exchange
  }

  readonly wait: CheckClient['wait'] = async (seconds, cause) => {
    if (!this.#limitWait.allows(seconds)) {
      throw new Skip(`${cause}; a wait of ${seconds} s would exceed --max-wait`)
    }
    await this.#limitWait.untilReset(seconds, cause)
    this.#limits.clear()
  }

  /**
   * Waits until the key has a number of requests left, as far as the latest response tells.
   *
   * @throws {Skip} If that takes too long.
   */
  async makeRoom(requests: number, address?: CheckAddress): Promise<void> {
    const known = this.#limits.get(toAccount(address))
    if (known === undefined || known.remaining >= requests) return
    const seconds = Math.ceil((known.resetsAtMs - this.#options.monotonic()) / 1000)
    if (seconds <= 0) return
    const { remaining } = known
    if (!this.#limitWait.allows(seconds)) {
      const needed = requests === 1 ? 'a request' : `${requests} requests`
      throw new Skip(`needs ${needed}, and the key has ${remaining} left for ${seconds} s`)
    }
    const left = toCount(remaining, 'requests')
    await this.wait(seconds, `the key has ${left} left, and the next check needs ${requests}`)
  }

  /** Sets what was changed to what it was. Returns what could not be set. */
  async restore(): Promise<readonly Unrestored[]> {
    const unrestored: Unrestored[] = []
    for (const [petId, { before, hasStatus }] of this.#changed) {
      const { quantity, status } = before
      // A service that has accepted a status accepts the previous one too.
      const isSet = hasStatus && (await this.#set(petId, { quantity, status })) === undefined
      const reason = isSet ? undefined : await this.#set(petId, { quantity })
      if (reason !== undefined) unrestored.push({ petId, quantity, reason })
    }
    this.#changed.clear()
    return unrestored
  }

  /** Updates a pet, also after an interruption. Returns the reason if that fails. */
  async #set(petId: string, body: object): Promise<string | undefined> {
    try {
      const exchange = await this.#exchange(update(petId, body), undefined)
      if (isSuccess(exchange)) return undefined
      if (exchange.status !== 429) return `status ${exchange.status}`
      const seconds = readRetryAfter(exchange)
      const found = describeRejection(exchange)
      if (seconds === undefined) return found
      if (seconds > this.#options.maxWaitSeconds) return `${found}, longer than --max-wait`
      const wait = `waits ${formatSeconds(seconds)}, then restores the quantity of pet ${petId}`
      await this.#limitWait.pause(seconds, `PATCH /inventory/${petId} received ${found}; ${wait}`)
      const second = await this.#exchange(update(petId, body), undefined)
      return isSuccess(second) ? undefined : `status ${second.status}`
    } catch (error) {
      if (error instanceof RequestFailure) return error.message
      throw error
    }
  }

  async #exchange(request: CheckRequest, signal: AbortSignal | undefined): Promise<Exchange> {
    let isRejected = false
    try {
      const received = await this.#options.send(this.#toSent(request), signal)
      this.failures = 0
      isRejected = unchangedStatuses.has(received.status)
      const exchange = { request, ...received, json: tryParseExactJson(received.text) }
      this.exchanges.push(reduce(exchange))
      this.#noteLimit(exchange)
      return exchange
    } catch (error) {
      if (error instanceof RequestFailure) this.failures += 1
      throw error
    } finally {
      // A request without a response may have changed something too.
      if (!isRejected) this.#noteChange(request)
    }
  }

  #toSent(request: CheckRequest): SentRequest {
    const { address = 'api', method = 'GET', path, headers = {}, body } = request
    const { credential = 'own' } = request
    const { urls, key, stagingKey = key } = this.#options
    const authorization = authorizations[credential](address === 'staging' ? stagingKey : key)
    return {
      url: `${urls[address]}${path}`,
      method,
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(authorization !== undefined && { Authorization: authorization }),
      },
      body,
    }
  }

  /** Only a response to the key of the run states its limit. */
  #noteLimit(exchange: Exchange): void {
    const { address, credential = 'own' } = exchange.request
    const rateLimit = readRateLimit(exchange)
    if (!rateLimit || credential !== 'own') return
    const { monotonic, now } = this.#options
    const seconds = rateLimit.resetSeconds - (readDate(exchange) ?? now() / 1000)
    this.#limits.set(toAccount(address), {
      remaining: rateLimit.remaining,
      resetsAtMs: monotonic() + seconds * 1000,
    })
  }

  /** Notes what to restore. The inventory did not have a pet that is not in its latest list. */
  #noteChange(request: CheckRequest): void {
    const petId = findChangedPet(request)
    const list = this.#observed.get(JSON.stringify(listInventory))?.exchange
    if (petId === undefined || list === undefined) return
    const known = this.#changed.get(petId)
    const before = known?.before ?? findEntry(list, petId)
    if (before === undefined) return
    const hasStatus = known?.hasStatus || request.body?.includes('"status"') || false
    this.#changed.set(petId, { before, hasStatus })
  }
}

/** Production and quickstart share the quota of a key. */
function toAccount(address: CheckAddress = 'api'): 'production' | 'staging' {
  return address === 'staging' ? 'staging' : 'production'
}

/** Returns the id of the pet whose quantity a request may change. */
function findChangedPet({ method, path, address = 'api' }: CheckRequest): string | undefined {
  if (method !== 'PATCH' || address !== 'api') return undefined
  return /^\/inventory\/(-?\d+)$/.exec(path)?.[1]
}

/**
 * Statuses after which even a deviating service has changed nothing: it has not processed the
 * request. Others are not trusted.
 */
const unchangedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 429])

/** Number of characters of a body that the list of all exchanges retains. */
const retainedCharacters = 1_000

/** Returns what the checks of every response examine: a list of pets can have megabytes. */
function reduce(exchange: Exchange): Exchange {
  const { status, text, json } = exchange
  const { code, message, status: repeated } = toObject(json) ?? {}
  const isError = status >= 400 && toObject(json) !== undefined
  const reduced = isError ? { code, message, status: repeated } : null
  return {
    ...exchange,
    text: Array.from(text.slice(0, retainedCharacters)).join(''),
    json: json === undefined ? undefined : reduced,
  }
}

/** Says why the run stops, and what to do. */
function describeStop(exchange: Exchange): string {
  const { method = 'GET', path } = exchange.request
  const seconds = readRetryAfter(exchange)
  const when = seconds === undefined ? 'when the limit has reset' : `in ${formatSeconds(seconds)}`
  return `${method} ${path} received ${describeRejection(exchange)}; no further requests are sent, run the command again ${when}`
}
