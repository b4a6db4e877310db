import { delay, HttpResponse, http, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'
import { test as base } from 'vitest'
import { type ClientOptions, PetStoreClient } from '../src/client.js'

const baseUrl = 'https://api.petstore.example/v1'
const quickstartBaseUrl = 'https://quickstart.petstore.example'

/** A request that the service received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
}

interface StoredPet {
  readonly petId: string
  readonly name: string
  quantity: number
  readonly status: string
}

/** The state of the service, as far as the tests need it. */
export class FakeService {
  nowMs = Date.parse('2026-03-01T09:00:00Z')
  limit = 60
  remaining = 60
  apiKey = 'key-1'
  messageStatus = 200
  /** Delay of the next response. */
  delayMs = 0
  sunset: string | undefined = 'Wed, 04 Mar 2026 00:00:00 GMT'
  readonly requests: Received[] = []
  readonly messages: string[] = []
  readonly pets = new Map<string, StoredPet>()
  /** Responses that replace the responses of operations: to the next requests, or to all of them. */
  readonly faults: { respond(): Response | Promise<Response>; times: number }[] = []

  constructor() {
    this.addPet({ petId: '1', name: 'Bella', quantity: 4, status: 'available' })
    this.addPet({ petId: '2', name: 'Milo', quantity: 6, status: 'available' })
    this.addPet({ petId: '3', name: 'Luna', quantity: 1, status: 'pending' })
  }

  addPet(pet: StoredPet): void {
    this.pets.set(pet.petId, pet)
  }

  fail(respond: () => Response | Promise<Response>, times = Number.POSITIVE_INFINITY): void {
    this.faults.push({ respond, times })
  }

  /** Requests with a method and path. */
  find(method: string, path: string): Received[] {
    return this.requests.filter((request) => request.method === method && request.path === path)
  }

  readonly handlers = [
    http.get(`${baseUrl}/inventory`, ({ request }) =>
      this.#respond(request, () => this.#json(`[${this.#items().join()}]`)),
    ),
    http.patch(`${baseUrl}/inventory/:petId`, ({ request, params }) =>
      this.#respond(request, (body) => this.#update(String(params.petId), body)),
    ),
    http.get(`${baseUrl}/pets/:petId`, ({ request, params }) =>
      this.#respond(request, () => this.#getPet(String(params.petId))),
    ),
    http.get(`${baseUrl}/store/orders`, ({ request }) =>
      this.#respond(request, () =>
        this.#json('[{"id":9007199254740993,"petId":9223372036854775807,"quantity":2}]'),
      ),
    ),
    http.post(`${quickstartBaseUrl}/messages`, ({ request }) =>
      this.#respond(request, (body) => this.#queue(body)),
    ),
  ]

  async #respond(request: Request, run: (body: unknown) => Response): Promise<Response> {
    const { method, url, headers } = request
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    if (this.delayMs > 0) await this.#delay()
    this.requests.push({ method, path: new URL(url).pathname, headers, body })
    const fault = this.faults.find(({ times }) => times > 0)
    if (fault) {
      fault.times -= 1
      return fault.respond()
    }
    if (headers.get('Authorization') !== `Bearer ${this.apiKey}`) {
      return error(401, 'invalid_api_key')
    }
    this.remaining -= 1
    const response = run(body)
    response.headers.set('X-RateLimit-Limit', String(this.limit))
    response.headers.set('X-RateLimit-Remaining', String(this.remaining))
    response.headers.set('X-RateLimit-Reset', String(this.nowMs / 1000 + 60))
    return response
  }

  async #delay(): Promise<void> {
    const { delayMs } = this
    this.delayMs = 0
    await delay(delayMs)
  }

  // JSON.stringify cannot write an exact int64.
  #items(): string[] {
    return [...this.pets.values()].map(
      ({ petId, quantity, status }) =>
        `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
    )
  }

  #update(petId: string, body: unknown): Response {
    const pet = this.pets.get(petId)
    if (!pet) return error(404, 'pet_not_found')
    const { quantity } = body as { quantity: unknown }
    if (typeof quantity !== 'number' || quantity < 0) {
      return error(400, 'invalid_field', 'quantity must not be negative')
    }
    pet.quantity = quantity
    return this.#json(`{"petId":${petId},"quantity":${quantity},"status":"${pet.status}"}`)
  }

  #getPet(petId: string): Response {
    if (this.sunset && this.nowMs >= Date.parse(this.sunset)) return error(410, 'operation_gone')
    const pet = this.pets.get(petId)
    if (!pet) return error(404, 'pet_not_found')
    const { name, status } = pet
    const response = this.#json(`{"petId":${petId},"name":"${name}","status":"${status}"}`)
    response.headers.set('Deprecation', `@${Date.parse('2025-09-02T00:00:00Z') / 1000}`)
    if (this.sunset) response.headers.set('Sunset', this.sunset)
    return response
  }

  #queue(body: unknown): Response {
    const { message } = body as { message?: unknown }
    if (typeof message !== 'string') return error(400, 'missing_field', 'message is missing')
    this.messages.push(message)
    const createdAt = new Date(this.nowMs).toISOString()
    return HttpResponse.json(
      { id: 'msg_1', message, status: 'queued', createdAt },
      { status: this.messageStatus },
    )
  }

  #json(text: string): Response {
    return new HttpResponse(text, { headers: { 'Content-Type': 'application/json' } })
  }
}

/** An Error body of the service. */
export function error(status: number, code: string, message = code, headers = {}): Response {
  const body: JsonBodyType = { code, message, status }
  return HttpResponse.json(body, { status, headers })
}

/** A 429 with `Retry-After`. */
export function limited(retryAfterSeconds: number, code = 'rate_limit_exceeded'): Response {
  return error(429, code, code, { 'Retry-After': String(retryAfterSeconds) })
}

/** A response whose connection breaks in the middle of the body. */
export function truncated(): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"petId":1,'))
      controller.error(new TypeError('terminated'))
    },
  })
  return new HttpResponse(stream, { headers: { 'Content-Type': 'application/json' } })
}

const server = setupServer()

/** A test with its own service. Tests cannot run concurrently, because they share the server. */
export const test = base.extend<{ service: FakeService }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern
  service: async ({}, use) => {
    const service = new FakeService()
    server.use(...service.handlers)
    server.listen({ onUnhandledRequest: 'error' })
    await use(service)
    server.resetHandlers()
    server.close()
  },
})

/** A client of the service. Waiting moves the clock of the service, and is recorded. */
export function createClient(service: FakeService, options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  const clock = {
    now: () => service.nowMs,
    sleep: async (ms: number) => {
      waits.push(ms)
      service.nowMs += ms
    },
  }
  const { apiKey } = service
  const addresses = { apiKey, baseUrl, quickstartBaseUrl }
  const client = new PetStoreClient({ ...addresses, clock, random: () => 0.5, ...options })
  return { client, waits }
}
