import { expect } from 'vitest'
import type { Random } from '../abuse/random.js'
import type { HttpResponse, RequestParts, SendRow } from '../support/http-client.js'

/** Sends requests to the server. */
export type Client = SendRow

/** A request of the service, which the journal contains if it was executed. */
interface Sent {
  readonly quantity?: number
  readonly petId?: number
  readonly message?: string
  /** Undefined if no complete response was received. */
  response?: HttpResponse
}

interface Entry {
  readonly id: number
  readonly at: string
  readonly request: { readonly headers: Readonly<Record<string, string>> }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
  }
  readonly changes: readonly { readonly type: string; readonly petId?: string; to?: number }[]
}

interface Window {
  readonly used: number
  readonly remaining: number
  readonly limit: number
}

/** Value of a control request: the last acknowledged one, and the one that was not acknowledged. */
interface ControlValue {
  stored: number
  sent: number
}

/** Number of requests between two checks, fewer than the journal retains. */
const maximumRequests = 450
/** Pet that only control requests change. */
const controlPetId = 12
/** More than a minute window. */
const advanceMs = 61_000

/** A world, with what its requests must have left in it. */
export class TestedWorld {
  /** By the name in the journal: the requests since the last check. */
  #sent = new Map<string, Sent>()
  #count = 0
  #lastId = 0
  #admitted = 0
  /** Number of admitted requests by the time of the world, which is one window each. */
  readonly #admittedAt = new Map<string, number>()
  readonly #quantities = new Map<string, number>()
  readonly #messages: string[] = []
  readonly #controlQuantity: ControlValue = { stored: Number.NaN, sent: Number.NaN }
  readonly #advances: ControlValue = { stored: 0, sent: 0 }
  #startMs = 0

  /** @param clients Number of clients, each of which sends one request at a time. */
  constructor(
    readonly key: string,
    readonly clients: number,
  ) {}

  /** Whether the journal would not retain all requests since the last check. */
  get isFull(): boolean {
    return this.#sent.size >= maximumRequests
  }

  /** Creates the world. Its clock is frozen, so that its windows begin when the test says. */
  async create(client: Client): Promise<void> {
    const body = await this.#control(client, 'PATCH', 'clock', { frozen: true })
    this.#startMs = Date.parse((body as { now: string }).now) // the schema Clock
    await this.#setControlQuantity(client)
  }

  /** Sends one request. Rejects if the response is not complete. */
  async send(client: Client, clientIndex: number, random: Random): Promise<void> {
    // Two control requests at once could be executed in any order.
    if (clientIndex === 0 && random.chance(0.05)) return this.#setControlQuantity(client)
    if (clientIndex === 0 && random.chance(0.05)) return this.#advance(client)
    this.#count += 1
    const unique = this.#count
    const pets = '/v1/inventory'
    // No two clients change the same pet.
    const petId = 1 + clientIndex
    const message = `message ${unique}`
    const kind = random.pick(['read', 'change', 'change', 'message'])
    if (kind === 'change') {
      const sent = { quantity: unique, petId }
      await this.#send(client, sent, `PATCH ${pets}/${petId}`, { quantity: unique })
    } else if (kind === 'message') {
      await this.#send(client, { message }, 'POST /quickstart/messages', { message })
    } else await this.#send(client, {}, `GET ${pets}`)
  }

  /** Checks that the world contains all acknowledged requests, and each of the others wholly or not. */
  async check(client: Client): Promise<void> {
    const entries = await this.#readNewEntries(client)
    this.#checkEntries(entries)
    await this.#checkQuota(client)
    await this.#checkData(client)
    await this.#checkNext(client)
  }

  /** Sends a request. Rejects if the response is not complete. */
  async #send(client: Client, sent: Sent, line: string, json?: unknown): Promise<void> {
    const name = `request ${this.#count}`
    this.#sent.set(name, sent)
    // Identifies the request in the journal.
    const parts: RequestParts = { key: this.key, headers: { 'user-agent': name }, json }
    const response = await client(line, parts)
    if (response.isCutOff) throw new Error(`${name}: the response is incomplete`)
    sent.response = response
  }

  /** Returns the body of the response to a control request. */
  async #control(client: Client, method: string, path: string, json?: unknown): Promise<unknown> {
    const response = await client(`${method} /sandbox/${path}`, { key: this.key, json })
    if (response.isCutOff) throw new Error(`${path}: the response is incomplete`)
    expect(response.status).toBe(200)
    return response.json
  }

  async #setControlQuantity(client: Client): Promise<void> {
    this.#count += 1
    const value = this.#controlQuantity
    value.sent = this.#count
    await this.#control(client, 'PATCH', `pets/${controlPetId}`, { quantity: value.sent })
    value.stored = value.sent
  }

  async #advance(client: Client): Promise<void> {
    this.#advances.sent += 1
    await this.#control(client, 'PATCH', 'clock', { advance: advanceMs })
    this.#advances.stored = this.#advances.sent
  }

  async #readNewEntries(client: Client): Promise<Entry[]> {
    const limit = this.#sent.size + 1
    const body = await this.#control(client, 'GET', `requests?limit=${limit}`)
    const entries = (body as Entry[]).toReversed().filter(({ id }) => id > this.#lastId) // newest first
    const ids = entries.map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, at) => this.#lastId + at + 1))
    this.#lastId += ids.length
    return entries
  }

  #checkEntries(entries: readonly Entry[]): void {
    const sent = this.#sent
    this.#sent = new Map()
    for (const entry of entries) {
      const name = entry.request.headers['user-agent'] ?? ''
      const request = sent.get(name)
      // Also finds requests that are executed twice.
      sent.delete(name)
      expect(request, `${name} is in the journal once`).toBeDefined()
      if (request) this.#checkEntry(entry, request)
    }
    for (const [name, { response }] of sent) {
      expect(response, `${name} is not in the journal`).toBeUndefined()
    }
  }

  #checkEntry({ at, response, changes }: Entry, request: Sent): void {
    const remaining = Number(response.headers['x-ratelimit-remaining'])
    if (request.response) {
      expect(response.status).toBe(request.response.status)
      expect(String(remaining)).toBe(request.response.headers.get('x-ratelimit-remaining'))
    }
    if (response.status === 429) {
      expect(changes).toEqual([])
      expect(remaining).toBe(0)
      return
    }
    this.#admitted += 1
    const used = (this.#admittedAt.get(at) ?? 0) + 1
    this.#admittedAt.set(at, used)
    expect(remaining).toBe(Number(response.headers['x-ratelimit-limit']) - used)
    const { petId, quantity, message } = request
    const types = changes.map(({ type }) => type)
    if (message !== undefined) {
      expect(types).toEqual(['message.queued'])
      this.#messages.push(message)
    } else if (petId !== undefined && quantity !== undefined) {
      expect(changes).toEqual([expect.objectContaining({ petId: String(petId), to: quantity })])
      this.#quantities.set(String(petId), quantity)
    } else expect(types).toEqual([])
  }

  async #checkQuota(client: Client): Promise<void> {
    const clock = await this.#control(client, 'GET', 'clock')
    const { now, frozen } = clock as { now: string; frozen: boolean } // the schema Clock
    expect(frozen).toBe(true)
    const advances = (Date.parse(now) - this.#startMs) / advanceMs
    expect([this.#advances.stored, this.#advances.sent]).toContain(advances)
    this.#advances.stored = advances
    this.#advances.sent = advances
    const body = await this.#control(client, 'GET', 'quota')
    const { minute, day } = body as { minute: Window; day: Window } // the schema Quota
    expect(day.used).toBe(this.#admitted)
    expect(minute.used).toBe(this.#admittedAt.get(now) ?? 0)
  }

  async #checkData(client: Client): Promise<void> {
    const body = await this.#control(client, 'GET', 'pets')
    const pets = new Map<string, number>()
    for (const { petId, quantity } of body as { petId: number; quantity: number }[]) {
      pets.set(String(petId), quantity)
    }
    for (const [petId, quantity] of this.#quantities) expect(pets.get(petId)).toBe(quantity)
    const value = this.#controlQuantity
    const stored = pets.get(String(controlPetId)) ?? Number.NaN
    expect([value.stored, value.sent]).toContain(stored)
    value.stored = stored
    value.sent = stored
    const messages = await this.#control(client, 'GET', 'messages')
    const texts = (messages as { message: string }[]).map(({ message }) => message)
    expect(texts).toEqual(this.#messages)
  }

  /** Checks that the limit continues where it was. */
  async #checkNext(client: Client): Promise<void> {
    this.#count += 1
    await this.#send(client, {}, 'GET /v1/inventory')
    this.#checkEntries(await this.#readNewEntries(client))
  }
}
