import { addresses } from '../../contract/addresses.js'
import type { Message } from '../../contract/schemas.js'
import type { ScenarioSummary } from '../../scenario/library.js'
import type { Fault, FaultInput } from '../../world/faults/faults.js'
import type { AccountSettings } from '../../world/quota/schema.js'
import { type Access, controlAddressOf } from '../session/access.js'
import { readFailure } from './failure.js'
import type { ClockState, JournalRow, OrderRow, Overview, PetRow, QuotaState } from './shapes.js'

type Id = number | string
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How the clock of a world is changed: to a moment, by a span, or to what comes next. */
export interface ClockChange {
  readonly now?: string
  readonly advance?: string
  readonly advanceTo?: 'next-event'
  readonly frozen?: boolean
}

/**
 * The control API of one world, as functions.
 *
 * @throws {ControlFailure} When the sandbox refuses; a TypeError when it does not answer.
 */
export class ControlClient {
  readonly #base: string
  readonly #apiKey: string
  readonly #fetch: Fetch

  /** @param root Where the sandbox is: an origin, or a URL that its addresses stand below. */
  constructor(root: string, { apiKey, environment }: Access, fetcher: Fetch = fetch) {
    this.#base = `${root}${addresses[controlAddressOf(environment)].httpPath}`
    this.#apiKey = apiKey
    this.#fetch = (url, init) => fetcher(url, init)
  }

  overview = () => this.#read<Overview>('')
  scenarios = () => this.#read<ScenarioSummary[]>('/scenarios')
  putScenarios = (names: readonly string[]) => this.#send('PUT', '/scenario', names)
  /** Takes the text of a scenario file as it is, so that no number in it is read inexactly. */
  putScenarioFile = (text: string) => this.#call('PUT', '/scenario', text)
  reset = () => this.#send('POST', '/reset')
  snapshot = (name: string) =>
    this.#call('GET', `/snapshot?${new URLSearchParams({ name })}`).then((answer) => answer.text())
  changeClock = (change: ClockChange) => this.#send<ClockState>('PATCH', '/clock', change)
  changeQuota = (change: AccountSettings) => this.#send<QuotaState>('PATCH', '/quota', change)
  faults = () => this.#read<Fault[]>('/faults')
  replaceFaults = (faults: readonly FaultInput[]) => this.#send('PUT', '/faults', faults)
  clearFaults = () => this.#send('DELETE', '/faults')
  requests = (limit: number) => this.#read<JournalRow[]>(`/requests?limit=${limit}`)
  clearRequests = () => this.#send('DELETE', '/requests')
  messages = () => this.#read<Message[]>('/messages')
  pets = () => this.#read<PetRow[]>('/pets')
  addPet = (pet: object) => this.#send<PetRow>('POST', '/pets', pet)
  changePet = (id: Id, fields: object) => this.#send<PetRow>('PATCH', `/pets/${id}`, fields)
  removePet = (id: Id) => this.#send<PetRow>('DELETE', `/pets/${id}`)
  orders = () => this.#read<OrderRow[]>('/orders')
  changeOrder = (id: Id, fields: object) => this.#send<OrderRow>('PATCH', `/orders/${id}`, fields)
  removeOrder = (id: Id) => this.#send<OrderRow>('DELETE', `/orders/${id}`)
  createKey = (plan: string, scenario: string) =>
    this.#send<{ apiKey: string }>('POST', '/keys', { plan, scenario })

  /** The calls that reach the world, as server-sent events, until the signal ends them. */
  async events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#call('GET', '/events', undefined, signal)
    if (answer.body) return answer.body
    throw new TypeError('the stream of events has no body')
  }

  #read<T>(path: string): Promise<T> {
    return this.#send<T>('GET', path)
  }

  async #send<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await this.#call(method, path, text)
    return (await answer.json()) as T // the sandbox holds it against the schema of this type
  }

  async #call(
    method: string,
    path: string,
    body?: string,
    signal?: AbortSignal,
  ): Promise<Response> {
    const answer = await this.#fetch(`${this.#base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    if (!answer.ok) throw readFailure(answer.status, await answer.text())
    return answer
  }
}
