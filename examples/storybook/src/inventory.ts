const baseUrl = 'https://api.petstore.example/v1'

export interface InventoryItem {
  readonly petId: number
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}

/** An error response of the service. */
export class ServiceError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Earliest time of the next request in milliseconds since the epoch. 0 without `Retry-After`. */
    readonly retryAtMs: number,
  ) {
    super(message)
  }
}

export function listInventory(apiKey: string): Promise<InventoryItem[]> {
  return send(apiKey, 'GET', '/inventory')
}

export function setQuantity(
  apiKey: string,
  petId: number,
  quantity: number,
): Promise<InventoryItem> {
  return send(apiKey, 'PATCH', `/inventory/${petId}`, { quantity })
}

/** @throws {ServiceError} If the service responds with an error. */
async function send<Body>(
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const content = await response.json()
  if (response.ok) return content
  const retryAfter = response.headers.get('Retry-After')
  const retryAtMs = retryAfter === null ? 0 : Date.now() + Number(retryAfter) * 1000
  throw new ServiceError(content.code, content.message, retryAtMs)
}
