import { parseJson } from './json.js'
import { serviceUrls } from './mock.js'

export interface InventoryItem {
  /** A string, because an int64 may exceed 2^53. */
  readonly petId: string
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}

export interface Pet {
  readonly petId: string
  readonly name: string
  readonly category: string
  readonly tags: readonly string[]
}

export interface Message {
  readonly id: string
  readonly status: string
  readonly createdAt: string
}

/** The rate limit of the key, from the headers of a response. */
export interface Limits {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: Date
}

/** The dates in the headers of a response of a deprecated operation. */
export interface Deprecation {
  readonly since: Date
  readonly sunset: Date
}

/** An error response. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The earliest time of the next request, if the response has a `Retry-After` header. */
    readonly retryAt: Date | undefined,
  ) {
    super(message)
  }
}

/** A client of the pet store service with one API key. */
export class PetStore {
  constructor(
    readonly apiKey: string | undefined,
    readonly onLimits: (limits: Limits) => void,
  ) {}

  async listInventory(signal: AbortSignal): Promise<InventoryItem[]> {
    const url = `${serviceUrls.api}/inventory`
    return (await this.#send<InventoryItem[]>('GET', url, { signal })).body
  }

  async setQuantity(petId: string, quantity: number): Promise<InventoryItem> {
    const url = `${serviceUrls.api}/inventory/${petId}`
    return (await this.#send<InventoryItem>('PATCH', url, { json: { quantity } })).body
  }

  async findPet(petId: string): Promise<{ pet: Pet; deprecation: Deprecation }> {
    const url = `${serviceUrls.api}/pets/${encodeURIComponent(petId)}`
    const { body, headers } = await this.#send<Pet>('GET', url)
    return { pet: body, deprecation: readDeprecation(headers) }
  }

  async sendMessage(message: string): Promise<Message> {
    const url = `${serviceUrls.quickstart}/messages`
    return (await this.#send<Message>('POST', url, { json: { message } })).body
  }

  async #send<Body>(
    method: string,
    url: string,
    { json, signal }: { readonly json?: unknown; readonly signal?: AbortSignal } = {},
  ): Promise<{ body: Body; headers: Headers }> {
    const headers = new Headers()
    if (this.apiKey !== undefined) headers.set('Authorization', `Bearer ${this.apiKey}`)
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    const body = json === undefined ? null : JSON.stringify(json)
    const response = await fetch(url, { method, headers, body, signal: signal ?? null })
    this.onLimits(readLimits(response.headers))
    const text = await response.text()
    if (response.ok) return { body: parseJson<Body>(text), headers: response.headers }
    const { code, message } = parseJson<{ code: string; message: string }>(text)
    throw new ServiceError(response.status, code, message, readRetryAt(response.headers))
  }
}

function readLimits(headers: Headers): Limits {
  return {
    limit: Number(headers.get('X-RateLimit-Limit')),
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    resetsAt: new Date(Number(headers.get('X-RateLimit-Reset')) * 1000),
  }
}

function readRetryAt(headers: Headers): Date | undefined {
  const seconds = headers.get('Retry-After')
  return seconds === null ? undefined : new Date(Date.now() + Number(seconds) * 1000)
}

/** `Deprecation: @1767225600` (RFC 9745) and `Sunset: <HTTP date>` (RFC 8594). */
function readDeprecation(headers: Headers): Deprecation {
  return {
    since: new Date(Number(headers.get('Deprecation')?.slice(1)) * 1000),
    sunset: new Date(headers.get('Sunset') ?? ''),
  }
}
