import type { World } from '../../control/world.js'
import type { Platform } from '../../engine/platform.js'
import { serviceRouter } from '../../engine/route.js'
import { Sandbox } from '../../engine/sandbox.js'
import type { SandboxSettings } from '../../engine/settings.js'
import { type Environment, environments } from '../../service/addresses.js'
import { journalEntries, retainMs, worldBytes, worldsBytes } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { JsonText } from '../../service/json-text.js'
import { truncate } from '../../service/validation/message.js'
import { describeValue } from '../../service/validation/validate.js'
import { freezeDeep } from '../../world/freeze.js'
import { type JournalEntry, toJournalEntry } from '../../world/journal/entry.js'
import type { ChangeKind } from '../../world/listeners.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import { checkOnlySource, type ScenarioSource } from '../../world/scenario/source.js'
import { type BaseUrls, matchBaseUrl, matchesEverything, mostSpecificFirst } from './base-urls.js'
import { respondToFetch, toResponse } from './fetch.js'
import { groupHandlers, type HandlerGroups, type OperationHandler } from './handlers.js'
import type { CoreOptions } from './options.js'

/** A sandbox in this process. Pass its handlers to msw, or send requests with its `fetch`. */
export class InProcessSandbox {
  /** The same handlers by resource, for tools that take named groups, such as Storybook's msw addon. */
  readonly handlerGroups: HandlerGroups

  /** @internal */
  constructor(
    /** @internal The part of the sandbox that all transports share. */
    readonly core: Sandbox,
    /** @internal Location of each address. */
    readonly bases: BaseUrls,
    /** Request handlers for `setupServer(...)` and `setupWorker(...)` of msw. */
    readonly handlers: OperationHandler[],
  ) {
    this.handlerGroups = groupHandlers(handlers)
  }

  /** The production world of `sbx_free` and all other keys without a scenario or label. */
  get world(): World {
    return this.core.worlds.initial('production')
  }

  /**
   * Returns the world of a key. Creates it if it does not exist.
   *
   * @throws {Problem} invalid_api_key, if this sandbox does not accept the key.
   * @throws {TypeError} If the key is not a string, or the environment is unknown.
   */
  async worldFor(apiKey: string, environment: Environment = 'production'): Promise<World> {
    if (typeof apiKey !== 'string') {
      throw new TypeError(
        `worldFor takes an API key such as "sbx_free", found ${describeValue(apiKey)}`,
      )
    }
    if (!environments.includes(environment)) {
      const wanted = environments.join(' or ')
      throw new TypeError(`environment must be ${wanted}, found ${describeValue(environment)}`)
    }
    const { world } = await this.core.keys.find(apiKey, environment)
    return world
  }

  /**
   * Restarts the initial worlds, production and staging, with a scenario, or with an array of them that
   * are merged from left to right.
   *
   * @throws {ScenarioError} If a scenario is unknown or invalid. The worlds are then unchanged.
   */
  use(scenario: ScenarioSource): Promise<void>
  async use(scenario: ScenarioSource, ...others: readonly unknown[]): Promise<void> {
    checkOnlySource(others)
    await this.start(scenario)
  }

  /** @internal Restarts the worlds of `use`. */
  start(scenario: ScenarioSource): Promise<void> {
    return this.core.worlds.use(scenario)
  }

  /** Restarts the initial worlds with the initial scenario, and removes all other worlds. */
  reset(): void {
    this.core.worlds.reset()
  }

  /**
   * Stores changes outside of requests, for example by `sandbox.world.db.pets.add`. Otherwise they are
   * stored with the next request to the world. Does nothing without a store.
   *
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  async save(): Promise<void> {
    const { worlds } = this.core
    await worlds.stored?.save(worlds.all())
  }

  /** Saves all changes and closes the store. */
  close(): Promise<void> {
    return this.core.close()
  }

  /**
   * Registers a listener that is called after each request to the service, in all worlds. An error that
   * it throws is reported and does not affect the request. Returns a function that removes the
   * listener.
   *
   * Over HTTP, the listener also receives requests without a valid key, which a server that other
   * machines can reach records in no journal. The id of such an entry is 0, and its world is the
   * initial world.
   */
  subscribe(listener: (entry: JournalEntry, world: World) => void): () => void {
    return this.core.requests.add((entry, world) =>
      listener(toJournalEntry(freezeDeep(entry)), world),
    )
  }

  /**
   * Registers a listener that is called after anything has changed a world: a request, a control
   * request, a direct call such as `world.db.pets.add` or `world.clock.advance`, `use`, `reset`, or a
   * step that another process has stored. It is called once per turn of the event loop and world, after
   * the code that made the changes, with the world and the kinds of its changes. An error that it
   * throws is reported and does not affect the request. Returns a function that removes the listener.
   *
   * Time that passes on a running clock is not a change. A listener that sends requests itself must
   * ignore each call whose kinds contain `requests`; otherwise its own requests call it again.
   */
  onChange(listener: (world: World, kinds: ReadonlySet<ChangeKind>) => void): () => void {
    return this.core.changes.add(listener)
  }

  /** Whether a URL is below an address of this sandbox. */
  answers(url: string): boolean {
    return Object.values(this.bases).some((base) => matchBaseUrl(base, url) !== undefined)
  }

  /**
   * Sends a request to the sandbox without a network. Takes the arguments of the global `fetch`.
   *
   * Rejects with a `TypeError` if a fault closes the connection, and with the reason of the signal
   * if it is aborted. An aborted request does not change the world afterwards.
   */
  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    this.send(input, init)

  /** @internal Sends a request with its headers unchanged. */
  async send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    // The engine responds at once if the signal is aborted, after it has recorded the request.
    const response = await this.#respond(request)
    request.signal.throwIfAborted()
    if (response.type === 'error') throw new TypeError('fetch failed: the connection was reset')
    return response
  }

  async #respond(request: Request): Promise<Response> {
    for (const address of mostSpecificFirst(this.bases)) {
      const base = this.bases[address]
      const target = matchBaseUrl(base, request.url)
      if (!target) continue
      const { endpoint } = serviceRouter.route(address, request.method, target.path)
      if (!endpoint && matchesEverything(base)) continue
      return respondToFetch(this.core, request, address, target)
    }
    const known = Object.values(this.bases).map(({ text }) => text)
    const problem = new Problem(
      'route_not_found',
      `${truncate(request.url)} is not below an address of the sandbox: ${known.join(', ')}`,
    )
    const headers = ['Content-Type', 'application/json']
    const body = JsonText.of(problem.toBody())
    return toResponse({ status: problem.status, headers, body }, request)
  }
}

/** Maximum time value of ECMAScript, in milliseconds since the epoch. */
const maximumTimeMs = 8.64e15

/** Settings of a sandbox that are not options. */
type CoreSettings = Pick<SandboxSettings, 'access' | 'StoredWorlds'>

/**
 * Creates the part of a sandbox that all transports share. Does not load msw.
 *
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If `now` returns no time.
 */
export async function createCore(
  options: CoreOptions,
  library: ScenarioLibrary,
  platform: Platform,
  coreSettings: CoreSettings,
): Promise<Sandbox> {
  const { scenario = 'default', maxWorlds, journalHeaders = [] } = options
  const { maxMemory = worldsBytes, maxWorldMemory = worldBytes } = options
  const { now = platform.now, sleep = platform.sleep } = options
  const time: unknown = now()
  if (typeof time !== 'number' || !(Math.abs(time) <= maximumTimeMs)) {
    const wanted = 'a finite number of milliseconds since 1970'
    throw new TypeError(`now must return ${wanted}, found ${describeValue(time)}`)
  }
  const settings = {
    ...coreSettings,
    library,
    platform: { ...platform, now, sleep },
    store: options.store,
    journalHeaders: new Set(journalHeaders.map((name) => name.toLowerCase())),
    journalCapacity: options.journalCapacity ?? journalEntries,
    maxWorlds,
    maxMemory,
    maxWorldMemory,
    retainMs: options.retainMs ?? retainMs,
  }
  return Sandbox.create(settings, scenario)
}
