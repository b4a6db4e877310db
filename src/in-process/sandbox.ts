import { type AddressId, type Environment, environments } from '../contract/addresses.js'
import { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { World } from '../control/world.js'
import type { Platform } from '../sandbox/platform.js'
import { Sandbox } from '../sandbox/sandbox.js'
import type { ScenarioLibrary, ScenarioSource } from '../scenario/library.js'
import { describeValue } from '../validation/validate.js'
import type { JournalEntry } from '../world/journal/journal.js'
import { matchBaseUrl } from './base-url.js'
import { splitTarget, toApiRequest, toResponse } from './fetch.js'
import {
  type BaseUrls,
  createHandlers,
  groupHandlers,
  type HandlerGroups,
  readBaseUrls,
} from './handlers.js'
import type { OperationHandler } from './operation-handler.js'

/** How a sandbox is made. */
export interface SandboxOptions {
  /** A scenario's name, a scenario, or several to merge from left to right. Default: `default`. */
  readonly scenario?: ScenarioSource
  /** Where `{base_url}` lives: a URL, a path on any origin, or `*`. */
  readonly baseUrl?: string
  /** Where `{staging_base_url}` lives. */
  readonly stagingBaseUrl?: string
  /** Where `{quickstart_base_url}` lives. */
  readonly quickstartBaseUrl?: string
  /** Where the world of a key is steered. */
  readonly controlUrl?: string
  /** Where its staging world is steered. */
  readonly stagingControlUrl?: string
  /** How many calls each world's journal keeps. Default: 500. */
  readonly journalCapacity?: number
  /** How many worlds exist at the most; past it the longest idle leaves. Default: 256. */
  readonly maxWorlds?: number
  /** The real time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
  /** How a delay waits. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<void>
}

/** A sandbox in this process: hand its handlers to msw, or call it with `fetch`. */
export class InProcessSandbox {
  /** Request handlers for msw's `setupServer(...)` and `setupWorker(...)`. */
  readonly handlers: OperationHandler[]
  /** The same handlers by resource, for what takes them by name, such as Storybook's addon for msw. */
  readonly handlerGroups: HandlerGroups
  /** What all transports share. */
  readonly core: Sandbox
  readonly #bases: BaseUrls

  constructor(core: Sandbox, bases: BaseUrls) {
    this.core = core
    this.#bases = bases
    this.handlers = createHandlers(core, bases)
    this.handlerGroups = groupHandlers(this.handlers)
  }

  /** The production world that `sbx_free` and the other keys without a scenario reach. */
  get world(): World {
    return this.core.initialWorld('production')
  }

  /**
   * The world that a key reaches; it is made when there is none yet.
   *
   * @throws {Problem} invalid_api_key when the key is none of this sandbox.
   * @throws {TypeError} When the key is no text, or the environment is none.
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
    const { world } = await this.core.identify(apiKey, environment)
    return world
  }

  /**
   * Switches the initial worlds, production and staging, to another scenario.
   *
   * @throws {ScenarioError} When the scenario does not fit; the worlds stay as they were.
   */
  use(...scenarios: readonly [ScenarioSource, ...ScenarioSource[]]): Promise<void> {
    return this.core.use(scenarios.length === 1 ? scenarios[0] : scenarios.flat())
  }

  /** Puts every world back to the scenario that the sandbox was made with. */
  reset(): void {
    this.core.reset()
  }

  /** Calls the listener with each call that was answered. Returns a function that ends this. */
  subscribe(listener: (entry: JournalEntry, world: World) => void): () => void {
    return this.core.subscribe(listener)
  }

  /** Whether a URL is one that this sandbox answers. */
  answers(url: string): boolean {
    return this.handlers.some(({ base }) => matchBaseUrl(base, url) !== undefined)
  }

  /**
   * Answers a request as `fetch` would, without any network.
   *
   * @throws {TypeError} When a fault of the scenario breaks the connection.
   */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const response = await this.#respond(request)
    if (response.type === 'error') throw new TypeError('fetch failed: the connection was reset')
    return response
  }

  async #respond(request: Request): Promise<Response> {
    for (const handler of this.handlers) {
      const target = matchBaseUrl(handler.base, request.url)
      if (target === undefined) continue
      const { address, operation } = handler
      const route = this.core.route(address, request.method, splitTarget(target).path)
      if (operation !== undefined && route.operation !== operation) continue
      const answer = await handler.respond(await toApiRequest(request, address, target), route)
      return toResponse(answer, request)
    }
    return this.#refuse(request)
  }

  #refuse(request: Request): Response {
    const known = Object.values(this.#bases).map(({ text }) => text)
    const problem = new Problem(
      'route_not_found',
      `${request.url.slice(0, 200)} is below none of the sandbox's addresses: ${known.join(', ')}`,
    )
    const headers = ['Content-Type', 'application/json']
    const body = JsonText.of(problem.toBody())
    return toResponse({ status: problem.status, headers, body }, request)
  }
}

/** About 250 MB. */
const maxRecords = 500_000

/** Makes a sandbox on a runtime, with the scenarios that a library holds. */
export async function createInProcessSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  platform: Platform,
): Promise<InProcessSandbox> {
  return new InProcessSandbox(...(await prepareSandbox(options, library, platform)))
}

/**
 * What a sandbox in this process is made from.
 *
 * @throws {TypeError} When two addresses are one, a base URL is none, or the time is.
 */
export async function prepareSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  platform: Platform,
): Promise<[core: Sandbox, bases: BaseUrls]> {
  const { scenario = 'default', journalCapacity = 500, maxWorlds = 256 } = options
  const { now = platform.now, sleep = platform.sleep } = options
  const bases = readBaseUrls(toGivenUrls(options))
  refuseSharedBase(bases)
  refuseOddTime(now())
  const settings = {
    library,
    platform: { ...platform, now, sleep },
    journalCapacity,
    maxWorlds,
    maxRecords,
  }
  return [await Sandbox.create(settings, scenario), bases]
}

/** The option that says where an address lives. */
const urlOptions = {
  api: 'baseUrl',
  staging: 'stagingBaseUrl',
  quickstart: 'quickstartBaseUrl',
  control: 'controlUrl',
  stagingControl: 'stagingControlUrl',
} as const satisfies Record<AddressId, keyof SandboxOptions>

const addressIds = Object.keys(urlOptions) as AddressId[] // urlOptions has every address

function toGivenUrls(options: SandboxOptions): Partial<Record<AddressId, string>> {
  const given: Partial<Record<AddressId, string>> = {}
  for (const id of addressIds) {
    const url = options[urlOptions[id]]
    if (url !== undefined) given[id] = url
  }
  return given
}

/** Of two addresses at one place, one would never answer. */
function refuseSharedBase(bases: BaseUrls): void {
  const takers = new Map<string, AddressId>()
  for (const id of addressIds) {
    const { origin = '*', prefix, text } = bases[id]
    const taker = takers.get(`${origin}${prefix}`)
    if (taker !== undefined) {
      const both = `${urlOptions[taker]} and ${urlOptions[id]}`
      throw new TypeError(`${both} must differ, found ${JSON.stringify(text)} for both`)
    }
    takers.set(`${origin}${prefix}`, id)
  }
}

/** The farthest from 1970 that a date reaches, in milliseconds. */
const farthestMs = 8.64e15

function refuseOddTime(time: unknown): void {
  if (typeof time === 'number' && Math.abs(time) <= farthestMs) return
  const wanted = 'a finite number of milliseconds since 1970'
  throw new TypeError(`now must return ${wanted}, found ${describeValue(time)}`)
}
