import { type AddressId, addresses, type Environment } from '../contract/addresses.js'
import type { ErrorBody } from '../contract/errors.js'
import type { PlanId } from '../contract/plans.js'
import type { ControlHost } from '../control/operation.js'
import type { World } from '../control/world.js'
import type { Change } from '../operations/change.js'
import type { JournalEntry } from '../world/journal/journal.js'
import type { Account } from '../world/quota/account.js'
import type { ApiRequest } from './message.js'
import type { Route } from './route.js'

/** What a key gives access to: its world, and its plan and quota there. */
export interface KeyHolder {
  readonly world: World
  readonly plan: PlanId
  /** The account of the key in its world: its plan, or the key itself if the scenario lists it. */
  readonly accountId: string
  /** Looked up for each request, because a world that restarts has new accounts. */
  readonly account: () => Account
}

/** The part of the sandbox that the pipeline uses. */
export interface Host extends ControlHost {
  /**
   * Returns the holder of a key in an environment. Creates the world if it does not exist yet.
   *
   * @throws {Problem} invalid_api_key; thrown or rejected.
   */
  identify(apiKey: string, environment: Environment): KeyHolder | Promise<KeyHolder>
  /** Returns the world that records the requests without a valid key. */
  initialWorld(environment: Environment): World
  /** Returns monotonic milliseconds, for durations. */
  monotonic(): number
  /** Resolves after this many real milliseconds. */
  sleep(ms: number): Promise<void>
  /** Called after each response of the service. */
  onRequest(entry: JournalEntry, world: World): void
  /** Called after each control request that may have changed a world. */
  onControl(world: World): void
  /** Called with each error that the contract does not name: a bug. */
  reportError(error: unknown): void
}

/** The values of the three rate-limit headers; the reset in milliseconds since the epoch. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAtMs: number
}

/** A request in the pipeline, with what is known about it so far. */
export class Exchange {
  readonly startedAt: number
  readonly environment: Environment
  /** One line for the decision of each step. */
  readonly explanation: string[] = []
  changes: readonly Change[] = []
  /** As sent, valid or not. */
  apiKey: string | undefined
  holder: KeyHolder | undefined
  /** The rate-limit headers at the time the request was charged. */
  rateLimit: RateLimit | undefined
  /** The status that the client requested with `Prefer`. */
  preferredStatus: number | undefined
  /** The value of `Preference-Applied`; empty for none. */
  preferenceApplied = ''
  /** Whole seconds. */
  retryAfterSeconds: number | undefined
  /** Returns the part of the body that a fault lets through. */
  truncate: ((body: Uint8Array) => Uint8Array) | undefined

  constructor(
    readonly request: ApiRequest,
    readonly route: Route,
    readonly host: Host,
  ) {
    this.startedAt = host.monotonic()
    this.environment = toEnvironment(request.address)
  }

  /** The world of the key; without a valid key, the initial one. */
  get world(): World {
    return this.holder?.world ?? this.host.initialWorld(this.environment)
  }

  explain(line: string): void {
    this.explanation.push(line)
  }
}

function toEnvironment(address: AddressId): Environment {
  return addresses[address].environment
}

/** An error response whose code is not in the catalogue, such as that of a fault. */
export class ErrorResponse extends Error {
  override readonly name = 'ErrorResponse'

  constructor(readonly body: ErrorBody) {
    super(body.message)
  }
}

/** The connection is reset; the client receives no response. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}
