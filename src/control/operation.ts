import type * as z from 'zod/mini'
import type { AddressId } from '../service/addresses.js'
import type { ErrorCode } from '../service/errors.js'
import {
  type BodyContract,
  bodyErrors,
  type OperationContract,
  type ResponseContract,
} from '../service/operations/operation.js'
import type { PlanId } from '../service/plans.js'
import type { AccessSettings } from './access.js'
import type { World } from './world.js'

/** The part of a sandbox that control operations use, beyond the world of the key. */
export interface ControlledSandbox {
  readonly access: AccessSettings
  readonly settings: {
    /** Undefined if worlds are kept in memory only. */
    readonly store?: { readonly kind: string } | undefined
    /** `randomLabel` returns a random string of letters and digits. */
    readonly platform: { randomLabel(): string; now(): number }
  }
  readonly keys: {
    /** Creates a key. Default: with a random label, and without an expiry. */
    issue(plan: PlanId, scenario: string | undefined, label?: string, expiresMs?: number): string
  }
  readonly worlds: {
    all(): readonly World[]
    /** Whether an account has sent requests to the world of the same keys in the other environment. */
    isUsedElsewhere(world: World, accountId: string): Promise<boolean>
  }
}

/** The input of a control operation: the world of the key, and the validated request. */
export interface ControlRequest<Query = unknown, Body = unknown> {
  readonly world: World
  /** The key's account in the world: a plan, or a key of the scenario. */
  readonly accountId: string
  /** The key of the request, masked. */
  readonly apiKey: string
  readonly sandbox: ControlledSandbox
  /** The paths of the control API that have no parameters, by name. */
  readonly links: Readonly<Record<string, string>>
  /** Path parameters; each is an int64 in canonical decimal. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /**
   * Throws if the client has disconnected. Called between an asynchronous step and a change of the
   * world.
   */
  throwIfAborted(): void
}

/**
 * An operation of the control API: its contract and its behaviour. The result of `run` is the body
 * of the response, or an `EventStream` if the media type is `text/event-stream`.
 */
export interface ControlOperation<Query = unknown, Body = unknown, Result = unknown>
  extends OperationContract {
  readonly query?: z.ZodMiniType<Query>
  readonly request?: BodyContract<Body>
  readonly response: ResponseContract<Result>
  /** What the request must be permitted to do. Default: to control the world of its key. */
  readonly permission?: 'world' | 'keys'
  /** For a list in pages: the field with the id of a record. */
  readonly idField?: string
  /** Paths of the fields that the command line shows, such as `clock.now`. Default: all. */
  readonly columns?: readonly string[] | undefined
  /** Whether the response may take much memory to prepare. Over HTTP, one is prepared at a time. */
  readonly isPrepared?: true
  run(request: ControlRequest<Query, Body>): Result | Promise<Result>
}

/** Returns the control operation unchanged. Infers the types of `run` from its schemas. */
export function defineControl<Query = undefined, Body = undefined, Result = unknown>(
  operation: ControlOperation<Query, Body, Result>,
): ControlOperation<Query, Body, Result> {
  return operation
}

/** A group of control operations on one part of a world. */
export interface ControlResource {
  /** The tag in the documents. */
  readonly title: string
  readonly description: string
  readonly operations: Readonly<Record<string, ControlOperation>>
}

/** The addresses of the control API. */
export const controlAddresses: readonly AddressId[] = ['control', 'stagingControl']

/** Whether a control operation responds with server-sent events. */
export function isStream({ response }: ControlOperation): boolean {
  return response.mediaType === 'text/event-stream'
}

/** Returns every error that the document lists for a control operation. */
export function documentedControlErrors(operation: ControlOperation): readonly ErrorCode[] {
  const { method, request, errors = [] } = operation
  return [
    // An operation whose body has a required field lists `missing_field` in `errors`.
    ...(request ? bodyErrors.filter((code) => code !== 'missing_field') : []),
    'invalid_parameter',
    'missing_api_key',
    'invalid_api_key',
    'control_denied',
    ...(method === 'GET' ? [] : (['cross_origin_denied'] as const)),
    ...errors,
    'internal_error',
  ]
}
