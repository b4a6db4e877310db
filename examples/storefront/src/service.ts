import { serviceUrls } from './mock.js'

export interface InventoryItem {
  readonly petId: number
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}

export interface Pet {
  readonly petId: number
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

  async listInventory(): Promise<InventoryItem[]> {
    return (await this.#send('GET', `${serviceUrls.api}/inventory`)).json()
  }

  async setQuantity(petId: number, quantity: number): Promise<InventoryItem> {
    const url = `${serviceUrls.api}/inventory/${petId}`
    return (await this.#send('PATCH', url, { quantity })).json()
  }

  async findPet(petId: string): Promise<{ pet: Pet; deprecation: Deprecation }> {
    const url = `${serviceUrls.api}/pets/${encodeURIComponent(petId)}`
    const response = await this.#send('GET', url)
    return { pet: await response.json(), deprecation: readDeprecation(response.headers) }
  }

  async sendMessage(message: string): Promise<Message> {
    return (await this.#send('POST', `${serviceUrls.quickstart}/messages`, { message })).json()
  }

  async #send(method: string, url: string, body?: unknown): Promise<Response> {
    const headers = new Headers()
    if (this.apiKey !== undefined) headers.set('Authorization', `Bearer ${this.apiKey}`)
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    const response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    this.onLimits(readLimits(response.headers))
    if (response.ok) return response
    const { code, message } = await response.json()
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
