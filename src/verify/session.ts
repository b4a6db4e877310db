import { parseExactJson } from '../service/json.js'
import type { PlanId } from '../service/plans.js'
import { toCount } from '../service/validation/message.js'
import { Changes } from './changes.js'
import {
  type CheckAddress,
  type CheckClient,
  type CheckRequest,
  type CheckUrls,
  type Exchange,
  Skip,
} from './check.js'
import { authorizations } from './curl.js'
import { describeRequest, toObject } from './deviation.js'
import { listInventory } from './inventory.js'
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

/** Time from a 5xx to the repetition of the request. */
const repetitionMs = 1_000

/** Sends the requests of a run, within the limits of the key, and restores what they change. */
export class Session implements CheckClient {
  readonly urls: CheckUrls
  readonly plan: PlanId | undefined
  readonly petId: string | undefined
  readonly exchanges: Exchange[] = []
  /** Why the run ended early; undefined if it did not. */
  stopped: string | undefined
  /** One line for each request that succeeded only when it was repeated after a 5xx. */
  readonly unreliable: string[] = []
  /** Number of requests that were sent. */
  requests = 0
  /** Number of requests in a row that had no response. */
  failures = 0
  readonly changes: Changes
  readonly #options: SessionOptions
  readonly #observed = new Map<string, { readonly exchange: Exchange; readonly atMs: number }>()
  readonly #limits = new Map<'production' | 'staging', KnownLimit>()
  readonly #limitWait: LimitWait
  constructor(options: SessionOptions) {
    this.#options = options
    this.#limitWait = new LimitWait(options)
    this.urls = options.urls
    this.plan = options.plan
    this.petId = options.petId
    this.changes = new Changes({
      send: (request) => this.#send(request, undefined),
      readList: (mayWait) => this.#readList(mayWait),
      pause: (seconds, line) => this.#limitWait.pause(seconds, line),
      maxWaitSeconds: options.maxWaitSeconds,
    })
  }

  // Properties, so that a check can destructure them.
  readonly send: CheckClient['send'] = async (request, { mayExceed = false } = {}) => {
    this.#options.signal?.throwIfAborted()
    if (!mayExceed) await this.makeRoom(1, request.address)
    const exchange = await this.#send(request, this.#options.signal)
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
    const lack = this.#findLack(requests, address)
    if (!lack) return
    const { remaining, seconds } = lack
    if (!this.#limitWait.allows(seconds)) {
      const needed = requests === 1 ? 'a request' : `${requests} requests`
      throw new Skip(`needs ${needed}, and the key has ${remaining} left for ${seconds} s`)
    }
    const need = requests === 1 ? '' : `, and the next check needs ${requests}`
    await this.wait(seconds, `the key has ${toCount(remaining, 'requests')} left${need}`)
  }

  /** Returns how many requests are left, and for how long, if that is fewer than needed. */
  #findLack(requests: number, address?: CheckAddress) {
    const known = this.#limits.get(toAccount(address))
    if (known === undefined || known.remaining >= requests) return undefined
    const seconds = Math.ceil((known.resetsAtMs - this.#options.monotonic()) / 1000)
    return seconds <= 0 ? undefined : { remaining: known.remaining, seconds }
  }

  /** Returns the response to listInventory, also after an interruption; undefined if it has no list. */
  async #readList(mayWait: boolean): Promise<Exchange | undefined> {
    try {
      if (mayWait) await this.makeRoom(1)
      else if (this.#findLack(1)) return undefined
      const list = await this.#send(listInventory, undefined)
      return Array.isArray(list.json) ? list : undefined
    } catch (error) {
      const isExpected = error instanceof RequestFailure || error instanceof Skip
      if (isExpected || this.#options.signal?.aborted) return undefined
      throw error
    }
  }

  /** Sends a request, and repeats it once after a 5xx, which may be transient. */
  async #send(request: CheckRequest, signal: AbortSignal | undefined): Promise<Exchange> {
    let exchange = await this.#exchange(request, signal)
    if (exchange.status >= 500) {
      const { status } = exchange
      await this.#options.sleep(repetitionMs, signal)
      signal?.throwIfAborted()
      exchange = await this.#exchange(request, signal)
      if (exchange.status < 500) {
        const line = `${describeRequest(request)} responded with ${status}, and repeated with ${exchange.status}`
        this.unreliable.push(line)
      }
    }
    this.exchanges.push(reduce(exchange))
    return exchange
  }

  async #exchange(request: CheckRequest, signal: AbortSignal | undefined): Promise<Exchange> {
    const { monotonic, send } = this.#options
    const startMs = monotonic()
    let status: number | undefined
    this.requests += 1
    try {
      const received = await send(this.#toSent(request), signal)
      this.failures = 0
      status = received.status
      const elapsedSeconds = (monotonic() - startMs) / 1000
      const json = parseExactJson(received.text)
      const exchange = { request, ...received, json, elapsedSeconds }
      this.#noteLimit(exchange)
      if (isList(request)) this.changes.noteList(exchange)
      return exchange
    } catch (error) {
      if (error instanceof RequestFailure) this.failures += 1
      throw error
    } finally {
      // A request without a response may have changed something too.
      const list = this.#observed.get(JSON.stringify(listInventory))?.exchange
      this.changes.noteUpdate(request, status, list)
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
}

function isList({ address = 'api', method = 'GET', path }: CheckRequest): boolean {
  return address === 'api' && method === 'GET' && path === listInventory.path
}

/** Production and quickstart share the quota of a key. */
function toAccount(address: CheckAddress = 'api'): 'production' | 'staging' {
  return address === 'staging' ? 'staging' : 'production'
}

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
