import { listEntries } from '../../service/bounds.js'
import { toCount, toPlainLine, truncate } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { findNextStep, suggestBaseUrl, wantedBaseUrl } from '../base-url.js'
import { type Exchange, Skip } from '../check.js'
import { describeResponse } from '../deviation.js'
import { incompleteCode } from '../http-sender.js'
import {
  describeRejection,
  parseDate,
  readDate,
  readRateLimit,
  readRetryAfter,
} from '../rate-limit.js'
import { RequestFailure } from '../request.js'
import { Session, type SessionOptions } from '../session.js'
import { toInt64 } from './records.js'

/** A response as it was received or recorded. */
export interface Received {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The body. Integers beyond ±(2^53−1) are bigints. */
  readonly json: unknown
  /** Time of the response in milliseconds since the epoch, by the clock of the server. */
  readonly atMs: number
  /** Whether the body contained the API key, which is masked. */
  readonly isMasked?: boolean
}

/** The responses of a deployment from which a scenario is made. */
export interface Deployment {
  /** Base URL, which ends with the version. */
  readonly url: string
  readonly inventory: Received | undefined
  readonly orders: Received | undefined
  /** The responses of GET /pets/{petId}, by id in canonical decimal. */
  readonly pets: ReadonlyMap<string, Received>
}

/** Maximum size of all responses, and of a HAR file. */
export const maximumMebibytes = 64
/** Number of server errors in a row after which no further request is sent. */
const maximumServerErrors = 3

/**
 * Requests the inventory, the orders and each pet of a deployment, within the limit of the key.
 *
 * @throws {UsageError} If a request fails, or the limit resets too late.
 */
export async function readDeployment(options: SessionOptions): Promise<Deployment> {
  try {
    return await new Reader(options).read()
  } catch (error) {
    if (options.signal?.aborted) throw new UsageError('interrupted', incompleteCode)
    const isExpected = error instanceof RequestFailure || error instanceof Skip
    throw isExpected ? new UsageError(toPlainLine(error.message), incompleteCode) : error
  }
}

/** Sends the requests of a pull, one after the other. */
class Reader {
  readonly #options: SessionOptions
  readonly #session: Session
  /** The time to wait before the next request. */
  #waitSeconds = 0
  #waitCause = ''
  #serverErrors = 0
  #characters = 0

  constructor(options: SessionOptions) {
    this.#options = options
    this.#session = new Session(options)
  }

  async read(): Promise<Deployment> {
    const { notify, urls } = this.#options
    notify(`GET ${urls.api}/inventory: 1 request, to count the others`)
    const inventory = await this.#get('/inventory')
    if (inventory.status !== 200 || !Array.isArray(inventory.json)) {
      throw await this.#reject(inventory)
    }
    const entries = inventory.json.slice(0, listEntries)
    const ids = new Set(entries.map((item) => toInt64(Object(item).petId)))
    ids.delete(undefined)
    const { remaining = 'an unknown number' } = readRateLimit(inventory) ?? {}
    const kinds = `1 for the inventory, 1 for the orders, ${ids.size} for the pets`
    notify(`needs ${toCount(ids.size + 2, 'requests')} (${kinds}); the key has ${remaining} left`)
    const orders = await this.#get('/store/orders')
    const pets = new Map<string, Received>()
    for (const id of ids) {
      const pet = await this.#get(`/pets/${id}`)
      pets.set(`${id}`, pet)
      if (!isOperationMissing(pet)) continue
      notify(`GET /pets/{petId}: ${pet.status}, no further pets are requested`)
      break
    }
    return { url: urls.api, inventory, orders, pets }
  }

  /** @throws {UsageError} If the response is 401, the second 429 or the third 5xx in a row. */
  async #get(path: string): Promise<Exchange & Received> {
    let exchange = await this.#send(path)
    // One retry after the wait. A second rejection means that others use the key as well.
    if (exchange.status === 429) exchange = await this.#send(path)
    const { status, text } = exchange
    this.#serverErrors = status >= 500 ? this.#serverErrors + 1 : 0
    if (status === 429) {
      const cause = `${describeRejection(exchange)}; another client uses the limit of the key`
      throw await this.#reject(exchange, cause)
    }
    const isDown = this.#serverErrors >= maximumServerErrors
    if (status === 401 || isDown) throw await this.#reject(exchange)
    this.#characters += text.length + [...exchange.headers].join('').length
    if (this.#characters > maximumMebibytes * 2 ** 20) {
      throw await this.#reject(exchange, `more than ${maximumMebibytes} MiB in all`)
    }
    const seconds = readDate(exchange) ?? this.#options.now() / 1000
    return { ...exchange, atMs: seconds * 1000 }
  }

  async #send(path: string): Promise<Exchange> {
    if (this.#waitSeconds > 0) await this.#session.wait(this.#waitSeconds, this.#waitCause)
    const exchange = await this.#session.send({ path }, { mayExceed: true })
    this.#waitSeconds = toWaitSeconds(exchange, this.#options.now() / 1000)
    const rejection = `GET ${path}: ${describeRejection(exchange)}`
    this.#waitCause = exchange.status === 429 ? rejection : 'the key has no requests left'
    return exchange
  }

  /** Returns the failure for a response that cannot be used, with the next step. */
  async #reject(exchange: Exchange, reason?: string): Promise<UsageError> {
    const session = this.#session
    const step = async () =>
      (await findNextStep(session, exchange)) ??
      `; ${wantedBaseUrl}${await suggestBaseUrl(session)}`
    const isOther = exchange.status === 200 ? ', which is not a JSON array' : ''
    const found = reason ?? `${truncate(describeResponse(exchange))}${isOther}${await step()}`
    const line = `GET ${session.urls.api}${exchange.request.path}: ${found}`
    return new UsageError(toPlainLine(line), incompleteCode)
  }
}

/** Whether a response means that the operation does not exist, for no pet. */
function isOperationMissing(pet: Received): boolean {
  const sunsetMs = parseDate(pet.headers.get('sunset') ?? '')
  return (pet.status === 410 && sunsetMs <= pet.atMs) || [403, 405, 501].includes(pet.status)
}

/** Returns the time to wait before the next request; after a 429, at least a second. */
function toWaitSeconds(exchange: Exchange, clientSeconds: number): number {
  const now = readDate(exchange) ?? clientSeconds
  const rateLimit = readRateLimit(exchange)
  const untilReset = rateLimit && Math.max(rateLimit.resetSeconds - now, 1)
  const seconds = rateLimit?.remaining === 0 ? (untilReset ?? 0) : 0
  if (exchange.status !== 429) return Math.ceil(seconds)
  const retryAfter = readRetryAfter(exchange, now) ?? untilReset ?? 60
  return Math.ceil(Math.max(seconds, retryAfter, 1))
}
