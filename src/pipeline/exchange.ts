import { type AddressId, addresses, type Environment } from '../contract/addresses.js'
import { type OperationContract, type OperationId, operations } from '../contract/operations.js'
import type { World } from '../control/world.js'
import type { Change } from '../world/changes.js'
import type { Host, KeyHolder } from './host.js'
import type { ApiRequest } from './message.js'
import type { Route } from './route.js'

/** What the three rate-limit headers say; the reset in milliseconds since 1970. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAtMs: number
}

/** One call on its way: what is known of it so far. */
export class Exchange {
  readonly startedAt: number
  readonly environment: Environment
  /** The operation that the route found. */
  readonly operation: OperationId | undefined
  /** One line for each step's decision. */
  readonly explanation: string[] = []
  changes: readonly Change[] = []
  /** As it was sent, valid or not. */
  apiKey: string | undefined
  holder: KeyHolder | undefined
  /** What the rate-limit headers say, as it was when the call was charged. */
  rateLimit: RateLimit | undefined
  /** The status that the caller asked for. */
  preferredStatus: number | undefined
  /** The value of `Preference-Applied`. */
  preferenceApplied = ''
  /** Whole seconds. */
  retryAfterSeconds: number | undefined
  /** The share of the body that a truncating fault lets through. */
  truncatedShare: number | undefined

  constructor(
    readonly call: ApiRequest,
    readonly route: Route<OperationId>,
    readonly host: Host,
  ) {
    this.startedAt = host.monotonic()
    this.environment = toEnvironment(call.address)
    this.operation = route.operation
  }

  get contract(): OperationContract | undefined {
    return this.operation && operations[this.operation]
  }

  /** The world that answers; without a valid key, the initial one. */
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
