import type * as z from 'zod/mini'
import type { AddressId } from '../addresses.js'
import type { AssumptionId } from '../assumptions.js'
import { type ErrorCode, errorCodes } from '../errors.js'
import type { Int64 } from '../int64.js'
import type { JsonText } from '../json-text.js'
import type { KindName, RecordOf } from '../schemas.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A documented request or response body. */
export interface BodyContract<T = unknown> {
  readonly schema: z.ZodMiniType<T>
  /** Schema for the documents, if `schema` validates only a part of the body. Default: `schema`. */
  readonly documentedSchema?: z.ZodMiniType
  /** Whether a request body may be absent. It is then read as an empty object. Default: false. */
  readonly isOptional?: true
  /** Name of the schema in the OpenAPI document. Default: the schema is inlined. */
  readonly name?: string
  readonly example?: unknown
}

/** A successful response. */
export interface ResponseContract<T = unknown> {
  /** HTTP status. Default: 200. */
  readonly status?: 200 | 201 | 202 | 204
  /** Further statuses that a scenario can choose, and when they occur. */
  readonly otherStatuses?: Readonly<Record<number, string>>
  readonly description: string
  /** Absent for a response without a body. */
  readonly body?: BodyContract<T>
  /** Default: `application/json`. */
  readonly mediaType?: string
}

/** The contract of an operation, of the service or of the control API. */
export interface OperationContract {
  readonly method: Method
  /** Path below the base address, with parameters in braces. */
  readonly path: string
  /** Title of a few words, in the imperative. */
  readonly summary: string
  /** Effect and purpose of the operation, in full sentences. */
  readonly description: string
  /** Request body as documented. */
  readonly request?: BodyContract
  readonly response: ResponseContract
  /** Errors in addition to the errors of its path and body; see `documentedErrors`. */
  readonly errors?: readonly ErrorCode[]
  /** Example messages that replace the messages of the error catalogue. */
  readonly errorMessages?: Readonly<Partial<Record<ErrorCode, string>>>
  /** The int64 in the path. Default: the parameter that the document describes for all operations. */
  readonly pathParameter?: { readonly description: string; readonly example: unknown }
}

/** The part of a world that operations read. */
export interface OperationWorld {
  /** Milliseconds since the epoch. */
  readonly clock: { now(): number }
  readonly random: { nextString(length: number): string }
  readonly rules: {
    readonly messageStatus: 200 | 201 | 202
    readonly inventoryUpdateSchema: z.ZodMiniType<{ quantity: number }>
  }
  readonly deprecation: { readonly sunsetAtMs: number; readonly afterSunset: 'gone' | 'serve' }
  readonly db: { readonly [Kind in KindName]: OperationTable<RecordOf<Kind>> }
}

/** The records of one kind. */
interface OperationTable<Entry> {
  /** Returns a copy of a record. */
  find(id: string): Entry | undefined
  /** Returns the records as a JSON list, which is cached until the next write. */
  toJson(toJson: (record: Entry) => string): JsonText
}

/** The input of an operation: the world and the validated request. */
export interface OperationInput<Body = unknown> {
  readonly world: OperationWorld
  /** Path parameters; each is an int64 in canonical decimal. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

/** The result of an operation: the response, and the changes for the pipeline to apply. */
export interface OperationResult {
  /** Default: the status of `response`. */
  readonly status?: number
  /** Absent for 204. */
  readonly body?: JsonText
  readonly changes?: readonly Change[]
}

/** One write to the data of a world. `world.apply` executes it, and the journal records it. */
export type Change =
  | {
      readonly type: 'quantity.set'
      readonly petId: Int64
      readonly from: number
      readonly to: number
    }
  | { readonly type: 'message.queued'; readonly message: RecordOf<'messages'> }
  | RecordPut
  | { readonly type: 'record.removed'; readonly kind: KindName; readonly id: string }

/** Adds a record, or replaces the one with the same id. */
export type RecordPut = {
  readonly [Kind in KindName]: {
    readonly type: 'record.put'
    readonly kind: Kind
    readonly record: RecordOf<Kind>
  }
}[KindName]

/**
 * An operation of the service: its contract and its behaviour. Router, handlers, documents,
 * reference page, console and tests are derived from it.
 */
export interface Operation<Body = unknown> extends OperationContract {
  readonly addresses: readonly AddressId[]
  /** Navigation section (spec §1); the tag in the documents. */
  readonly resource: 'Store' | 'Pets' | 'Messages'
  /** Section of the specification. */
  readonly section: string
  /** Stability mark (spec §9). */
  readonly stability?: 'experimental' | 'beta'
  /** Whether the operation is deprecated (spec §9). The scenario sets the dates (A05). */
  readonly deprecated?: true
  /** Assumptions about details of the operation that the specification does not state. */
  readonly assumptions: readonly AssumptionId[]
  /** Schema of the request body in this world. Absent if the operation takes no body. */
  bodySchema?(world: OperationWorld): z.ZodMiniType<Body>
  /**
   * Computes the response. Does not write to the world: the pipeline applies the returned changes. The
   * only side effect: drawing random values advances the generator of the world.
   *
   * @throws {Problem} One of the errors that the operation documents.
   */
  run(input: OperationInput<Body>): OperationResult
}

/** Errors that a request with a body can receive. */
export const bodyErrors = [
  'invalid_json',
  'missing_field',
  'invalid_field',
  'unsupported_media_type',
  'payload_too_large',
  'unsupported_content_encoding',
] as const satisfies readonly ErrorCode[]

/** Errors that a well-formed request of every documented operation can receive. */
export const unroutedErrors = [
  'request_timeout',
  'host_not_allowed',
  'headers_too_large',
  'sandbox_capacity',
  'sandbox_unavailable',
] as const satisfies readonly ErrorCode[]

/**
 * Errors that any request of the service can receive: `invalid_parameter` for a bad preference,
 * `service_unavailable` on request.
 */
export const commonErrors = [
  'invalid_parameter',
  'service_unavailable',
  ...unroutedErrors,
] as const satisfies readonly ErrorCode[]

/** Returns the errors of an operation of the service, without the errors of all operations. */
export function documentedErrors(operation: Operation): readonly ErrorCode[] {
  const { path, request, errors = [] } = operation
  return [
    'missing_api_key',
    'invalid_api_key',
    'rate_limit_exceeded',
    'api_key_banned',
    'internal_error',
    ...(request ? bodyErrors : []),
    ...(path.includes('{') ? (['invalid_parameter'] as const) : []),
    ...errors,
  ]
}

/** Returns the statuses of an operation, without the statuses of `commonErrors`, in ascending order. */
export function documentedStatuses(operation: Operation): readonly number[] {
  return toStatuses([operation.response.status ?? 200], documentedErrors(operation))
}

/** Returns every documented status of an operation, which a client can prefer (RFC 7240). */
export function preferableStatuses(operation: Operation): readonly number[] {
  const others = Object.keys(operation.response.otherStatuses ?? {}).map(Number)
  return toStatuses([...documentedStatuses(operation), ...others], commonErrors)
}

function toStatuses(known: readonly number[], errors: readonly ErrorCode[]): number[] {
  const statuses = new Set([...known, ...errors.map((code) => errorCodes[code].status)])
  return [...statuses].sort((a, b) => a - b)
}
