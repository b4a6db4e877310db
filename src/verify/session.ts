import { parseExactJson } from '../service/json.js'
import { createMask } from '../service/mask.js'
import type { PlanId } from '../service/plans.js'
import { toCount } from '../service/validation/message.js'
import {
  describeRejection,
  formatSeconds,
  readDate,
  readRateLimit,
  readRetryAfter,
} from './headers.js'
import {
  type CheckRequest,
  type CheckUrls,
  type Exchange,
  RequestFailure,
  type Send,
  toSent,
} from './request.js'
import { describeRequest, toObject } from './response.js'
import { Incomplete } from './usage-error.js'

/** A check cannot observe its statement in the current state of the service, or not in time. */
export class Skip extends Incomplete {}

/** The run must end: no more requests may be sent. The message states the reason. */
export class Stop extends Incomplete {}

export interface SessionOptions {
  readonly urls: CheckUrls
  readonly key: string
  /** The key of staging. Default: `key`. */
  readonly stagingKey?: string | undefined
  /** The plan of the key, if it is known. */
  readonly plan?: PlanId | undefined
  /** The pet whose quantity checks change. Default: the first entry of the inventory. */
  readonly petId?: string | undefined
  readonly send: Send
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Resolves after this many milliseconds, or when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Maximum total time to wait for limits, in seconds. */
  readonly maxWaitSeconds: number
  /** Called with one line before each wait. */
  readonly notify: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** The limit of a key in its latest response. */
interface KnownLimit {
  readonly remaining: number
  /** Time of the monotonic clock at which the limit resets. */
  readonly resetsAtMs: number
}

/** Time from a 5xx to the repetition of the request. */
const repetitionMs = 1_000
/** A timer may end a little early. */
const marginMs = 100

/** Sends the requests of a run, within the limits of the key. */
export class Session {
  /** Masks the keys, which URLs or responses may contain. */
  readonly mask: (text: string) => string
  /**
   * All exchanges of the run so far, oldest first, with the beginning of the text and with only the
   * fields of an Error body as JSON; null for other JSON.
   */
  readonly exchanges: Exchange[] = []
  /** Why the run ended early; undefined if it did not. */
  stopped: string | undefined
  /** One line for each request that succeeded only when it was repeated after a 5xx. */
  readonly unreliable: string[] = []
  /** Number of requests that were sent. */
  requests = 0
  /** Number of requests in a row that had no response. */
  failures = 0
  /** Called with each request. Without an exchange, the request had no response. */
  onExchange: (request: CheckRequest, exchange?: Exchange) => void = () => {}
  readonly #observed = new Map<string, { readonly exchange: Exchange; readonly atMs: number }>()
  /** The limit at staging, and at the other addresses, which share the quota of a key (false). */
  readonly #limits = new Map<boolean, KnownLimit>()
  /** The remaining time to wait for limits. */
  #waitSeconds: number

  constructor(readonly options: SessionOptions) {
    const { key, stagingKey = key, maxWaitSeconds } = options
    this.mask = createMask([key, stagingKey])
    this.#waitSeconds = maxWaitSeconds
  }

  // Two properties, so that a check can destructure them.
  /**
   * Sends a request, and repeats it once after a 5xx. A response with 429 ends the run, unless
   * `mayExceed`.
   */
  readonly send = async (request: CheckRequest, { mayExceed = false } = {}): Promise<Exchange> => {
    this.options.signal?.throwIfAborted()
    if (!mayExceed) await this.makeRoom(1, request.address)
    const exchange = await this.sendAlways(request, this.options.signal)
    if (exchange.status === 429 && !mayExceed) throw new Stop(describeStop(exchange))
    return exchange
  }

  /** Returns the response to an equal request of this run, or sends it. */
  readonly observe = async (request: CheckRequest, maxAgeMs = Infinity): Promise<Exchange> => {
    const id = JSON.stringify(request)
    const known = this.#observed.get(id)
    const now = this.options.monotonic()
    if (known && now - known.atMs <= maxAgeMs) return known.exchange
    const exchange = await this.send(request)
    this.#observed.set(id, { exchange, atMs: now })
    return exchange
  }

  /** Waits until the key has a number of requests left according to the latest response. */
  async makeRoom(requests: number, address?: CheckRequest['address']): Promise<void> {
    const { remaining = Infinity, resetsAtMs = 0 } = this.#limits.get(address === 'staging') ?? {}
    const seconds = Math.ceil((resetsAtMs - this.options.monotonic()) / 1000)
    if (remaining >= requests || seconds <= 0) return
    const need = requests === 1 ? '' : `, and the next check needs ${requests}`
    await this.wait(seconds, `the key has ${toCount(remaining, 'requests')} left${need}`)
  }

  /**
   * Waits for the limit of the key, after printing a line.
   *
   * @param cause Why it waits, such as `the key has 0 requests left`.
   * @throws {Skip} If the total time does not allow it, or the run has ended early.
   */
  async wait(seconds: number, cause: string): Promise<void> {
    if (seconds > this.#waitSeconds || this.stopped !== undefined) {
      throw new Skip(`${cause}; a wait of ${seconds} s would exceed --max-wait`)
    }
    const { signal } = this.options
    this.#waitSeconds -= seconds
    await this.pause(seconds, `${cause}; waits ${formatSeconds(seconds)}, then continues`, signal)
    signal?.throwIfAborted()
    this.#limits.clear()
  }

  /** Waits without regard to the total time, after printing a line. */
  async pause(seconds: number, line: string, signal?: AbortSignal): Promise<void> {
    this.options.notify(line)
    await this.options.sleep(seconds * 1000 + marginMs, signal)
  }

  /** Like {@link send}, without regard to the limit and to a 429. */
  async sendAlways(request: CheckRequest, signal?: AbortSignal): Promise<Exchange> {
    let exchange = await this.#exchange(request, signal)
    if (exchange.status >= 500) {
      const failed = `${describeRequest(request)} responded with ${exchange.status}`
      await this.options.sleep(repetitionMs, signal)
      signal?.throwIfAborted()
      exchange = await this.#exchange(request, signal)
      const { status } = exchange
      if (status < 500) this.unreliable.push(`${failed}, and repeated with ${status}`)
    }
    this.exchanges.push(reduce(exchange))
    return exchange
  }

  async #exchange(request: CheckRequest, signal: AbortSignal | undefined): Promise<Exchange> {
    const { urls, key, stagingKey = key, monotonic, send } = this.options
    const sent = toSent(request, urls, request.address === 'staging' ? stagingKey : key)
    const startMs = monotonic()
    let exchange: Exchange | undefined
    this.requests += 1
    try {
      const received = await send(sent, signal)
      this.failures = 0
      const elapsedSeconds = (monotonic() - startMs) / 1000
      exchange = { request, ...received, json: parseExactJson(received.text), elapsedSeconds }
      this.#noteLimit(exchange)
      return exchange
    } catch (error) {
      if (error instanceof RequestFailure) this.failures += 1
      throw error
    } finally {
      this.onExchange(request, exchange)
    }
  }

  /** Only a response to the key of the run states its limit. */
  #noteLimit(exchange: Exchange): void {
    const { address, credential = 'own' } = exchange.request
    const rateLimit = readRateLimit(exchange)
    if (!rateLimit || credential !== 'own') return
    const { monotonic, now } = this.options
    const seconds = rateLimit.resetSeconds - (readDate(exchange) ?? now() / 1000)
    this.#limits.set(address === 'staging', {
      remaining: rateLimit.remaining,
      resetsAtMs: monotonic() + seconds * 1000,
    })
  }
}

/** Number of characters of a body that the list of all exchanges retains. */
const retainedCharacters = 1_000

/** Returns the parts for the checks of every response: a list of pets can have megabytes. */
function reduce(exchange: Exchange): Exchange {
  const { code, message, status } = toObject(exchange.json) ?? {}
  const isError = exchange.status >= 400 && toObject(exchange.json) !== undefined
  const reduced = isError ? { code, message, status } : null
  return {
    ...exchange,
    text: Array.from(exchange.text.slice(0, retainedCharacters)).join(''),
    json: exchange.json === undefined ? undefined : reduced,
  }
}

/** Describes why the run stops, and the next step. */
function describeStop(exchange: Exchange): string {
  const seconds = readRetryAfter(exchange)
  const when = seconds === undefined ? 'when the limit has reset' : `in ${formatSeconds(seconds)}`
  return `${describeRequest(exchange.request)} received ${describeRejection(exchange)}; no further requests are sent, run the command again ${when}`
}
