import { CircuitBreaker, type CircuitOptions, defaultCircuit } from './circuit-breaker.js'
import { type Clock, systemClock } from './clock.js'
import { UnauthorizedError } from './errors.js'
import { exchange, readBody } from './exchange.js'
import { type Deprecation, type RateLimit, readDeprecation, readRateLimit } from './headers.js'
import {
  type InventoryItem,
  type Order,
  type Parsed,
  type Pet,
  type QueuedMessage,
  toMessage,
  toOrder,
  withPetId,
} from './resources.js'
import { defaultRetry, type RetryOptions, retry } from './retry.js'

export interface ClientOptions {
  readonly apiKey: string
  /** Base URL of the API, such as `https://api.petstore.example/v1`. */
  readonly baseUrl: string
  /** Base URL of the quickstart, which sends messages. */
  readonly quickstartBaseUrl: string
  /** Time for one attempt, in milliseconds. Default: 10 s. */
  readonly timeoutMs?: number
  readonly retry?: Partial<RetryOptions>
  readonly circuit?: Partial<CircuitOptions>
  /** Called once for each deprecated operation that the client uses. */
  readonly onDeprecated?: (deprecation: Deprecation) => void
  readonly clock?: Clock
  /** Returns a number from 0 to less than 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
}

/** Options of one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
}

interface Call extends RequestOptions {
  readonly operation: string
  /** Default: GET. */
  readonly method?: 'PATCH' | 'POST'
  readonly url: string
  readonly body?: object
}

/** A client of the Pet Store Inventory Service. */
export class PetStoreClient {
  /** The rate limit as the last response described it. */
  rateLimit: RateLimit | undefined
  readonly #options: ClientOptions
  readonly #clock: Clock
  readonly #circuit: CircuitBreaker
  readonly #deprecated = new Set<string>()
  #apiKey: string
  /** The 401 that the service responded with. No further request is sent with this key. */
  #rejection: UnauthorizedError | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.#apiKey = options.apiKey
    this.#clock = options.clock ?? systemClock
    this.#circuit = new CircuitBreaker({ ...defaultCircuit, ...options.circuit }, this.#clock)
  }

  /** Sends further requests with another key, also after a 401. */
  useApiKey(apiKey: string): void {
    this.#apiKey = apiKey
    this.#rejection = undefined
  }

  /** Lists the stock of all pets. */
  async listInventory(options?: RequestOptions): Promise<InventoryItem[]> {
    const items = await this.#send<Parsed<InventoryItem>[]>({
      operation: 'listInventory',
      url: `${this.#options.baseUrl}/inventory`,
      ...options,
    })
    return items.map(withPetId)
  }

  /** Sets the stock of one pet. */
  async updateInventory(
    petId: bigint,
    quantity: number,
    options?: RequestOptions,
  ): Promise<InventoryItem> {
    const item = await this.#send<Parsed<InventoryItem>>({
      operation: 'updateInventory',
      method: 'PATCH',
      url: `${this.#options.baseUrl}/inventory/${petId}`,
      body: { quantity },
      ...options,
    })
    return withPetId(item)
  }

  /** Returns one pet. */
  async getPet(petId: bigint, options?: RequestOptions): Promise<Pet> {
    const pet = await this.#send<Parsed<Pet>>({
      operation: 'getPet',
      url: `${this.#options.baseUrl}/pets/${petId}`,
      ...options,
    })
    return withPetId(pet)
  }

  /** Lists the store orders. */
  async listOrders(options?: RequestOptions): Promise<Order[]> {
    const orders = await this.#send<Parsed<Order>[]>({
      operation: 'listOrders',
      url: `${this.#options.baseUrl}/store/orders`,
      ...options,
    })
    return orders.map(toOrder)
  }

  /** Queues a message. The service delivers it later. */
  async sendMessage(message: string, options?: RequestOptions): Promise<QueuedMessage> {
    const queued = await this.#send<Parsed<QueuedMessage>>({
      operation: 'sendMessage',
      method: 'POST',
      url: `${this.#options.quickstartBaseUrl}/messages`,
      body: { message },
      ...options,
    })
    return toMessage(queued)
  }

  /** Sends a request with retries. The caller states the shape of the response. */
  #send<T>(call: Call): Promise<T> {
    return retry(() => this.#circuit.run(() => this.#attempt(call)), {
      options: { ...defaultRetry, ...this.#options.retry },
      clock: this.#clock,
      random: this.#options.random ?? Math.random,
      // GET changes nothing, and PATCH sets the same quantity again.
      isIdempotent: call.method !== 'POST',
      signal: call.signal,
    }) as Promise<T>
  }

  async #attempt(call: Call): Promise<unknown> {
    if (this.#rejection) throw this.#rejection
    // Stryker disable next-line StringLiteral: fetch sends an empty method as GET
    const { operation, method = 'GET', url, body, signal } = call
    const authorization = { Authorization: `Bearer ${this.#apiKey}` }
    const headers = body ? { ...authorization, 'Content-Type': 'application/json' } : authorization
    const init = { method, headers, body: JSON.stringify(body) }
    const timeoutMs = this.#options.timeoutMs ?? 10_000
    const response = await exchange(url, init, { operation, timeoutMs, signal })
    this.rateLimit = readRateLimit(response.headers) ?? this.rateLimit
    this.#reportDeprecation(operation, response.headers)
    try {
      return readBody(response, this.#clock.now())
    } catch (error) {
      if (error instanceof UnauthorizedError) this.#rejection = error
      throw error
    }
  }

  #reportDeprecation(operation: string, headers: Headers): void {
    const deprecation = readDeprecation(operation, headers)
    if (!deprecation || this.#deprecated.has(operation)) return
    this.#deprecated.add(operation)
    this.#options.onDeprecated?.(deprecation)
  }
}
