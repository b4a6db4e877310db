import type { Report } from '../../report/report.js'
import type { PlanId } from '../../service/plans.js'
import type { WorldEvent } from '../../world/next-event.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { checkOnlySource, type ScenarioSource } from '../../world/scenario/source.js'
import type { WorldName } from '../../world/world.js'
import { ControlClient, type ControlInput } from '../client/client.js'
import { RemoteError } from '../client/error.js'
import { type ControlOperationId, type ControlResult, controlOperations } from '../operations.js'
import type { World } from '../world.js'
import { createRemoteDatabase, type RemoteDatabase } from './database.js'
import { RemoteFeed } from './feed.js'
import type { Remote } from './mapped.js'
import {
  createRemoteClock,
  createRemoteFaults,
  createRemoteJournal,
  type RemoteClock,
  type RemoteFaults,
  type RemoteJournal,
} from './parts.js'
import { RemoteAccounts } from './quota.js'
import { createRemoteRequests, type RemoteRequests } from './requests.js'

declare global {
  /** As in the library `esnext.disposable`, which a program may not include. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** Streams are opened by `journal.subscribe`. */
type StreamId = 'streamEvents'

/** A function for each control operation with a response in JSON, by its id. */
export type RemoteControl = {
  readonly [Id in Exclude<ControlOperationId, StreamId>]: (
    input?: ControlInput<Id>,
  ) => Promise<ControlResult<Id>>
}

/** The new world of {@link RemoteWorld.fork}. */
export interface ForkOptions {
  /** Plan of the new key. Default: `free`. */
  readonly plan?: PlanId | undefined
  /** Scenario of the new world. Default: the current state of this world. */
  readonly scenario?: ScenarioSource | undefined
}

/** What a handle knows of its world and its sandbox. */
export interface RemotePlace {
  readonly name: WorldName
  /** Base URL of the service: `{base_url}`, or `{staging_base_url}` in staging. */
  readonly baseUrl: string
  /** Value of `{quickstart_base_url}`, which belongs to production. */
  readonly quickstartBaseUrl: string
  /** Stops all requests. */
  readonly close: (reason: unknown) => void
}

/**
 * A world over HTTP, with the methods of `sandbox.world`. All of them return promises, and
 * properties are promises, so that code that uses `await` works with both.
 */
export class RemoteWorld
  implements
    Remote<
      World,
      | 'use'
      | 'reset'
      | 'snapshot'
      | 'report'
      | 'nextEvent'
      | 'advanceToNextEvent'
      | 'generation'
      | 'startedAtMs'
      | 'scenario'
    >
{
  /** Identifies the world within its sandbox. */
  readonly name: WorldName
  readonly clock: RemoteClock
  /** The data of the world: a collection for each kind of record, such as `db.pets`. */
  readonly db: RemoteDatabase
  readonly quota: RemoteAccounts
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  /** The requests that the world received. */
  readonly requests: RemoteRequests
  /** Each operation of the control API, derived from its definition. */
  readonly control: RemoteControl
  readonly #client: ControlClient
  readonly #place: RemotePlace

  /** @internal */
  constructor(client: ControlClient, place: RemotePlace) {
    const feed = new RemoteFeed(client)
    this.#client = client
    this.#place = place
    this.name = Object.freeze({ ...place.name })
    this.clock = createRemoteClock(client)
    this.db = createRemoteDatabase(client)
    this.quota = new RemoteAccounts(client)
    this.faults = createRemoteFaults(client)
    this.journal = createRemoteJournal(client, feed)
    this.requests = createRemoteRequests(client, feed)
    this.control = createControl(client)
  }

  /** API key of the world. A client that sends it reaches this world. */
  get apiKey(): string {
    return this.#client.target.apiKey
  }

  /** Headers that a client must send: `{ Authorization: 'Bearer …' }`. */
  get headers(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.apiKey}` }
  }

  /** Base URL of the service: `{base_url}`, or `{staging_base_url}` in staging. */
  get baseUrl(): string {
    return this.#place.baseUrl
  }

  /** Value of `{quickstart_base_url}`, which belongs to production. */
  get quickstartBaseUrl(): string {
    return this.#place.quickstartBaseUrl
  }

  /** Identifies the current run of the world. Larger after each restart. */
  get generation(): Promise<number> {
    return this.#overview().then(({ generation }) => generation)
  }

  /** Real time at which the world was created or last restarted, in milliseconds since the epoch. */
  get startedAtMs(): Promise<number> {
    return this.#overview().then(({ startedAt }) => Date.parse(startedAt))
  }

  /** Name of the running scenario. */
  get scenario(): Promise<string> {
    return this.#overview().then(({ scenario }) => scenario)
  }

  /**
   * Restarts the world from a scenario and clears its journal.
   *
   * @throws {RemoteError} invalid_scenario; the world stays unchanged.
   */
  use(scenario: ScenarioSource): Promise<void>
  async use(scenario: ScenarioSource, ...others: readonly unknown[]): Promise<void> {
    checkOnlySource(others)
    await this.#client.send('putScenario', { body: scenario })
  }

  /** Restores the start of the running scenario, and clears the journal. */
  async reset(): Promise<void> {
    await this.#client.send('resetWorld')
  }

  /**
   * Resolves to the state, without the journal, as a scenario. A world that starts from it responds
   * identically.
   *
   * @param name Name of the scenario, in kebab-case.
   */
  snapshot(name?: string): Promise<Scenario> {
    return this.#client.send('getSnapshot', { query: { name } })
  }

  /**
   * Assesses the client that sent the requests of an account. See `GET /sandbox/report`.
   *
   * @param account A plan, or the key of this handle. Default: the account of the key.
   * @throws {RangeError} If it is neither.
   */
  async report(account?: string): Promise<Report> {
    return await this.#clientOf(account).send('getReport')
  }

  /**
   * Resolves to the next time-based event that changes the responses to an account; undefined if
   * there is none.
   *
   * @param account A plan, or the key of this handle. Default: the account of the key.
   * @throws {RangeError} If it is neither.
   */
  async nextEvent(account?: string): Promise<WorldEvent | undefined> {
    const { nextEvent } = await this.#clientOf(account).send('getClock')
    if (!nextEvent) return undefined
    // The control API states the names of events as strings.
    return { event: nextEvent.event as WorldEvent['event'], atMs: Date.parse(nextEvent.at) }
  }

  /**
   * Advances the clock to the next event of an account. Resolves to the event; if there is none,
   * resolves to undefined and does not change the clock.
   *
   * @param account A plan, or the key of this handle. Default: the account of the key.
   * @throws {RangeError} If it is neither.
   */
  async advanceToNextEvent(account?: string): Promise<WorldEvent | undefined> {
    const event = await this.nextEvent(account)
    if (event) await this.clock.set(event.atMs)
    return event
  }

  /**
   * Creates a key with a random label, and connects to its world. Tests that each use a fork of a
   * handle do not affect each other.
   *
   * @throws {RemoteError} control_denied, if the sandbox does not issue keys, or invalid_scenario.
   */
  async fork({ plan = 'free', scenario }: ForkOptions = {}): Promise<RemoteWorld> {
    const source = scenario ?? (await this.#copy())
    const { apiKey } = await this.#client.send('createKey', { body: { plan } })
    const closing = new AbortController()
    const { signal = closing.signal } = this.#client.target
    const client = new ControlClient({
      ...this.#client.target,
      apiKey,
      signal: AbortSignal.any([signal, closing.signal]),
    })
    const { world: name } = await client.send('putScenario', { body: source })
    return new RemoteWorld(client, {
      ...this.#place,
      name,
      close: (reason) => closing.abort(reason),
    })
  }

  /**
   * Ends all requests and streams of this handle and of its forks. Later ones reject with a
   * `RemoteError`. The world is not affected.
   */
  close(): void {
    const advice = 'connect again'
    this.#place.close(new RemoteError('closed', `this handle is closed; ${advice}`, { advice }))
  }

  /** Closes the handle: `await using world = await connect(…)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  /** A key that a scenario lists belongs to one world. */
  async #copy(): Promise<Scenario> {
    const { apiKeys: _, ...copy } = await this.snapshot()
    return copy
  }

  #overview(): Promise<ControlResult<'getOverview'>> {
    return this.#client.send('getOverview')
  }

  #clientOf(account: string | undefined): ControlClient {
    return account === undefined ? this.#client : this.quota.clientOf(account)
  }
}

function createControl(client: ControlClient): RemoteControl {
  const stream: StreamId = 'streamEvents'
  const all = Object.keys(controlOperations) as ControlOperationId[] // the keys of the table
  const ids = all.filter((id) => id !== stream)
  const methods = ids.map((id) => [id, (input?: ControlInput) => client.send(id, input)])
  return Object.fromEntries(methods)
}
