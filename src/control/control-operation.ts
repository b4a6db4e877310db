import type { z } from 'zod'
import type { AddressId } from '../contract/addresses.js'
import type { ErrorCode } from '../contract/errors.js'
import type { Method } from '../contract/operations.js'
import type { PlanId } from '../contract/plans.js'
import type { ScenarioSummary } from '../scenario/library.js'
import type { World } from './world.js'

/** What the sandbox around a world offers for steering. */
export interface ControlHost {
  listScenarios(): readonly ScenarioSummary[]
  /** A key with a label that nobody can guess. */
  createApiKey(plan: PlanId, scenario: string | undefined): string
}

/** What a control operation is about: its group in the documents. */
export type ControlResource =
  | 'Overview'
  | 'Scenario'
  | 'Clock'
  | 'Quota'
  | 'Faults'
  | 'Requests'
  | 'Data'
  | 'Keys'

/** What a control operation gets: the world of the key, and the call, read and found to fit. */
export interface ControlRequest<Query = unknown, Body = unknown> {
  readonly world: World
  /** Which account of the world the key is: a plan, or a key of the scenario. */
  readonly accountId: string
  /** Masked. */
  readonly apiKey: string
  readonly host: ControlHost
  /** Path parameters, each an int64 in canonical decimal. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
}

/** A stream of events: told what to send, it returns what ends it. */
export type EventStream = (send: (text: string) => void) => () => void

/** One row of the control table: what an operation takes, gives and does. */
export interface ControlOperation<Query = unknown, Body = unknown, Result = unknown> {
  readonly method: Method
  /** Below the steering address, with parameters in braces; empty for the address itself. */
  readonly path: string
  readonly resource: ControlResource
  readonly summary: string
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** Without one, the result is a stream of server-sent events. */
  readonly response?: z.ZodType<Result>
  /** Default: 200. */
  readonly status?: 200 | 201
  /** Beyond those that every control operation has. */
  readonly errors?: readonly ErrorCode[]
  run(step: ControlRequest<Query, Body>): Result | Promise<Result>
}

/** Where control operations live. */
export const controlAddresses: readonly AddressId[] = ['control', 'stagingControl']

/** Types a control operation by its schemas. */
export function defineControl<Query = undefined, Body = undefined, Result = unknown>(
  operation: ControlOperation<Query, Body, Result>,
): ControlOperation<Query, Body, Result> {
  return operation
}
