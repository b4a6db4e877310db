export interface InventoryItem {
  readonly petId: number
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}

/** An error response of the service. */
export class ServiceError extends Error {
  /** Earliest time of the next request, in milliseconds since the epoch. */
  readonly retryAtMs: number

  constructor(
    readonly status: number,
    message: string,
    /** Milliseconds from `Retry-After`. Undefined without this header. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message)
    this.retryAtMs = Date.now() + (retryAfterMs ?? 0)
  }
}

/** A client of the pet store service. */
export class PetStore {
  constructor(
    readonly apiKey: string,
    readonly baseUrl = 'https://api.petstore.example/v1',
  ) {}

  listInventory(): Promise<InventoryItem[]> {
    return this.#send('GET', '/inventory')
  }

  setQuantity(petId: number, quantity: number): Promise<InventoryItem> {
    return this.#send('PATCH', `/inventory/${petId}`, { quantity })
  }

  async #send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${this.apiKey}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (response.ok) return response.json()
    const { message = response.statusText } = await response.json().catch(() => ({}))
    throw new ServiceError(response.status, message, readRetryAfter(response.headers))
  }
}

function readRetryAfter(headers: Headers): number | undefined {
  const seconds = headers.get('Retry-After')
  return seconds === null ? undefined : Number(seconds) * 1000
}
