import type { Report } from '../report/report.js'
import { maskApiKey } from '../service/api-key.js'
import { plans } from '../service/plans.js'
import { readValue } from '../service/validation/validate.js'
import { Requests } from '../world/journal/requests.js'
import { findNextEvent, type WorldEvent } from '../world/next-event.js'
import type { Account } from '../world/quota/account.js'
import type { ScenarioLibrary } from '../world/scenario/library.js'
import { type Scenario, scenarioNameSchema } from '../world/scenario/schema.js'
import { toSnapshot } from '../world/scenario/snapshot.js'
import { checkOnlySource, type ScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import { type ListedKeys, type WorldName, type WorldOptions, WorldState } from '../world/world.js'
import { EventFeed } from './event-feed.js'

/** The world that `sandbox.world` returns: its state, with methods to read and change it. */
export class World extends WorldState {
  /** The requests that this world received. */
  readonly requests: Requests
  /** The event streams of this world. @internal */
  readonly events = new EventFeed(this.journal)

  /** @internal */
  constructor(
    name: WorldName,
    seed: WorldSeed,
    options: WorldOptions,
    /** @internal */ readonly library: ScenarioLibrary,
  ) {
    super(name, seed, options)
    this.requests = new Requests(this.journal, () => [this.faults.list(), this.seed.faults])
  }

  /** @internal */
  override start(seed: WorldSeed, ownKeys?: ListedKeys): void {
    this.seedBytes = 0
    super.start(seed, ownKeys)
    this.clock.endWaits(true)
    const { generation } = this
    this.whenStored(() => this.events.restart(generation))
  }

  /**
   * Starts from a scenario that a client has chosen. It counts towards the size of the world, unless
   * other worlds share it.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for it. The world stays unchanged. @internal
   */
  override replace(seed: WorldSeed): void {
    const bytes = seed.isShared ? 0 : seed.bytes
    this.checkRoom(bytes - this.seedBytes)
    super.replace(seed)
    this.seedBytes = bytes
    this.measure()
  }

  /** Called when the sandbox discards the world. Ends its event streams. @internal */
  override close(): void {
    super.close()
    this.clock.endWaits(true)
    this.events.close()
  }

  /**
   * Returns the state, without the journal, as a scenario. A world that starts from it responds
   * identically.
   *
   * @param name Name of the scenario, in kebab-case.
   * @throws {Problem} invalid_field if the name is not in kebab-case.
   */
  snapshot(name = 'snapshot'): Scenario {
    return toSnapshot(this, readValue(scenarioNameSchema, name, 'the name'))
  }

  /**
   * Restarts this world from a scenario and clears its journal. The clock restarts too: a frozen clock
   * runs again, unless the scenario freezes it.
   *
   * @throws {ScenarioError} If the scenario is invalid; the world stays unchanged.
   */
  use(scenario: ScenarioSource): Promise<void>
  async use(scenario: ScenarioSource, ...others: readonly unknown[]): Promise<void> {
    checkOnlySource(others)
    this.start(await this.library.prepare(scenario, this.clock.realNow()))
  }

  /**
   * Returns a copy of an account. Changes to the copy do not affect the world.
   *
   * @param id A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  peekAccount(id: string): Account {
    return this.quota.copy(id)
  }

  /**
   * Assesses the client that sent the requests of an account: whether it keeps the rules of the
   * service, which documented responses it has received, and how each plan would have limited its
   * requests. Whether the key was also used in the other environment is only in `GET /sandbox/report`.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} As a rejection, if there is no such plan or key.
   */
  async report(account = 'free'): Promise<Report> {
    const loaded = await import('../report/to-report.js')
    const apiKey = maskApiKey(Object.hasOwn(plans, account) ? `sbx_${account}` : account)
    return loaded.toReport(this, { accountId: account, apiKey })
  }

  /**
   * Returns the next time-based event that changes the responses to an account; undefined if there
   * is none.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  nextEvent(account = 'free'): WorldEvent | undefined {
    return findNextEvent(this, account)
  }

  /**
   * Advances the clock to the next event of an account. Returns the event; if there is none,
   * returns undefined and does not change the clock.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  advanceToNextEvent(account = 'free'): WorldEvent | undefined {
    const event = this.nextEvent(account)
    if (event) this.clock.set(event.atMs)
    return event
  }
}
