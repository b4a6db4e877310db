import type { ControlAccess, ControlHost, ControlOperation } from '../control/operation.js'
import type { World } from '../control/world.js'
import type { Environment } from '../service/addresses.js'
import { maskApiKey } from '../service/api-key.js'
import type { Problem } from '../service/errors.js'
import { type PlanId, plans } from '../service/plans.js'
import type { RecordedEntry } from '../world/journal/entry.js'
import type { Client } from './client.js'
import type { ApiRequest } from './message.js'

/** A valid key with its world, its plan and its account. */
export interface KeyHolder {
  readonly maskedKey: string
  /** Explanation of the key for the journal. */
  readonly description: string
  readonly world: World
  readonly plan: PlanId
  /** The account of the key in its world: its plan, or the key itself if the scenario lists it. */
  readonly accountId: string
}

/** What the keys of a sandbox may see and control, and which requests may. */
export interface RequestAccess extends ControlAccess {
  /**
   * Checks whether a control request is permitted.
   *
   * @throws {Problem} control_denied
   */
  checkControl(request: ApiRequest, holder: KeyHolder, operation: ControlOperation): void
}

/** What the journals of worlds retain. */
export interface RecordingSettings {
  /**
   * Whether the journal of a shared world retains no bodies, queries and headers, and no journal
   * retains requests without a valid key. Applies to requests over HTTP.
   */
  readonly hidesSharedWorlds: boolean
  /**
   * Names of request headers, in lower case, that the journal of a shared world retains in addition
   * to the content and negotiation headers. Applies to requests over HTTP.
   */
  readonly journalHeaders: ReadonlySet<string>
}

/** The part of the sandbox that the pipeline uses. */
export interface Host extends ControlHost {
  readonly access: RequestAccess
  readonly recording: RecordingSettings
  /**
   * Returns the holder of a key in an environment. Creates the world if it does not exist yet.
   *
   * @param client The client that uses the key; undefined in process.
   * @throws {Problem} invalid_api_key or sandbox_capacity, as a rejection.
   */
  identify(apiKey: string, environment: Environment, client?: Client): Promise<KeyHolder>
  /** Returns the world whose clock and rate limits apply to requests without a valid key. */
  initialWorld(environment: Environment): World
  /**
   * Executes a step of a request, which reads or changes a world. If worlds are stored, resolves once
   * the step is stored, and executes it again if another process has changed the world meanwhile.
   *
   * @param isAlone Whether the step needs the effects of those before it, such as journal entries.
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  execute<Result>(
    world: World,
    step: () => Result | Promise<Result>,
    isAlone?: boolean,
  ): Promise<Result>
  /** Creates the id of a request that no journal has. */
  createRequestId(): string
  /** Returns monotonic milliseconds, for durations. */
  monotonic(): number
  /** Resolves after this many real milliseconds, or when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Called after each response of the service. The id of an entry that no journal has is 0.
   *
   * @param holder The holder of the key; undefined for a request without a valid key.
   * @param client The client that sent the request; undefined in process.
   */
  onRequest(
    entry: RecordedEntry,
    world: World,
    holder: KeyHolder | undefined,
    client: Client | undefined,
  ): void
  /** Called with the problem of each request that is rejected to protect the sandbox. */
  reportRejection(problem: Problem): void
  /** Called with each error that is not a documented one: a bug. */
  reportError(error: unknown): void
}

/** Creates the holder of a key. */
export function createKeyHolder(
  apiKey: string,
  plan: PlanId,
  accountId: string,
  world: World,
): KeyHolder {
  const { environment, scenario, label } = world.name
  const place = label === '' ? scenario : `${scenario}/${shortenLabel(label)}`
  const maskedKey = maskApiKey(apiKey)
  return {
    world,
    plan,
    accountId,
    maskedKey,
    // Unlike a template, `join` creates a contiguous string, which does not retain its parts.
    description: [
      `key ${maskedKey} is on plan ${plans[plan].title}`,
      `world ${environment}/${place}`,
    ].join(', '),
  }
}

/**
 * Truncates a long label, which may be secret: plan, scenario and label together are the whole key.
 */
function shortenLabel(label: string): string {
  return label.length > 8 ? `${label.slice(0, 8)}…` : label
}
