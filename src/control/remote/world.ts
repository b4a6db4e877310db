import type { PlanId } from '../../service/plans.js'
import type { WritableKind } from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import type { Clock } from '../../world/clock.js'
import type { Collection } from '../../world/database/collection.js'
import type { Table } from '../../world/database/table.js'
import type { Faults } from '../../world/faults/faults.js'
import type { Journal } from '../../world/journal/journal.js'
import type { Requests } from '../../world/journal/requests.js'
import type { Account, RateLimitWindow } from '../../world/quota/account.js'
import type { ScenarioSource } from '../../world/scenario/source.js'
import type { WorldName } from '../../world/world.js'
import type { ControlInput } from '../client/client.js'
import type { ControlOperationId, ControlResult } from '../operations.js'
import type { World } from '../world.js'

declare global {
  /** As in the library `esnext.disposable`, which a program may not include. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/**
 * Some members of an object in this process, as a remote handle has them: methods with the same
 * parameters that return promises, and properties that are promises.
 */
export type Remote<T, Name extends keyof T> = {
  readonly [Member in Name]: T[Member] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Promise<T[Member]>
}

/**
 * Inherits the members, so that printing or comparing a handle does not read its properties: each sends
 * a request.
 */
export function hideMembers<Members extends object>(members: Members): Members {
  return Object.create(members)
}

type WorldMember =
  | 'use'
  | 'reset'
  | 'snapshot'
  | 'report'
  | 'nextEvent'
  | 'advanceToNextEvent'
  | 'generation'
  | 'startedAtMs'
  | 'scenario'

/**
 * A world over HTTP, with the methods and properties of `sandbox.world`: `use`, `reset`, `snapshot`,
 * `report`, `nextEvent`, `advanceToNextEvent`, `generation`, `startedAtMs` and `scenario`. All methods
 * return promises, and properties are promises, so that code that uses `await` works with both. They
 * reject with a `RemoteError`. An account is a plan, or the key of this handle, which is the default.
 */
export interface RemoteWorld extends Remote<World, WorldMember> {
  /** Identifies the world within its sandbox. */
  readonly name: WorldName
  /** API key of the world. A client that sends it reaches this world. */
  readonly apiKey: string
  /** Headers that a client must send: `{ Authorization: 'Bearer …' }`. */
  readonly headers: { readonly Authorization: string }
  /** Base URL of the service: `{base_url}`, or `{staging_base_url}` in staging. */
  readonly baseUrl: string
  /** Value of `{quickstart_base_url}`, which belongs to production. */
  readonly quickstartBaseUrl: string
  /** The clock, with the methods of `Clock`. */
  readonly clock: Remote<Clock, 'now' | 'isFrozen' | 'freeze' | 'run' | 'set' | 'advance'>
  /** The data of the world: a collection for each kind of record, such as `db.pets`. */
  readonly db: RemoteDatabase
  /** The accounts that the key of the handle can reach. */
  readonly quota: RemoteAccounts
  /** The faults, with the methods of `Faults`. */
  readonly faults: Remote<Faults, 'list' | 'set' | 'add' | 'clear' | 'size'>
  /**
   * The journal, with the methods of `Journal`. `subscribe` resolves when the event stream is open. It is
   * opened again when it breaks, and missed entries are read.
   */
  readonly journal: Remote<Journal, 'entries' | 'size' | 'subscribe'>
  /** The requests that the world received, with the methods of `Requests`. */
  readonly requests: Remote<
    Requests,
    'find' | 'count' | 'unmatched' | 'pending' | 'clear' | 'waitFor'
  >
  /** Each operation of the control API with a response in JSON, derived from its definition. */
  readonly control: RemoteControl
  /**
   * Creates a key with a random label, and connects to its world. Tests that each use a fork of a
   * handle do not affect each other.
   *
   * @throws {RemoteError} control_denied, if the sandbox does not issue keys, or invalid_scenario.
   */
  fork(options?: ForkOptions): Promise<RemoteWorld>
  /**
   * Ends all requests and streams of this handle and of its forks. Later ones reject with a
   * `RemoteError`. The world is not affected.
   */
  close(): void
  /** Closes the handle: `await using world = await connect(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The data of a remote world: the members of `Collection` and `Table`, with promises. */
export type RemoteDatabase = {
  readonly [Kind in KindName]: Kind extends WritableKind
    ? Remote<Collection<Kind>, TableMember | 'add' | 'change' | 'remove'>
    : Remote<Table<Kind>, TableMember>
}

type TableMember = 'count' | 'list' | 'find'

/** A function for each control operation with a response in JSON, by its id. */
export type RemoteControl = {
  readonly [Id in Exclude<ControlOperationId, 'streamEvents'>]: (
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

/** The accounts of a remote world that the key of the handle can reach. */
export interface RemoteAccounts {
  /**
   * Returns the account of a plan, or of the key of this handle. For the account of another plan, the
   * handle uses the key of this plan for the same world, which a sandbox with a key secret rejects.
   *
   * @throws {RangeError} If the id is neither a plan nor the key of this handle.
   */
  account(id: string): RemoteAccount
}

/** The quota of one key of a remote world: the methods of `Account`, which return promises. */
export interface RemoteAccount
  extends Remote<Account, 'plan' | 'set' | 'isBanned' | 'bannedUntilMs'> {
  /** The minute window. */
  readonly minute: Promise<RemoteWindow>
  /** The day window. */
  readonly day: Promise<RemoteWindow>
}

/** The state of one window of a key. */
export interface RemoteWindow
  extends Readonly<Pick<RateLimitWindow, 'limit' | 'used' | 'remaining' | 'rejected'>> {
  /** End of the window. If none is open: the end of a window that opens now. */
  readonly resetsAtMs: number
}
