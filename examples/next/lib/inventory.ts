/** Base URL of the service and the key for it. */
export interface Service {
  readonly url: string
  readonly apiKey: string
}

export interface InventoryItem {
  readonly petId: number
  readonly quantity: number
  readonly status: 'available' | 'pending' | 'sold'
}

export function listInventory(service: Service): Promise<InventoryItem[]> {
  return send(service, 'GET', '/inventory')
}

export function setQuantity(
  service: Service,
  petId: number,
  quantity: number,
): Promise<InventoryItem> {
  return send(service, 'PATCH', `/inventory/${petId}`, { quantity })
}

/** @throws {Error} If the service responds with an error. */
async function send<Body>(
  { url, apiKey }: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
  })
  const content = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${content.message}`)
  return content
}
