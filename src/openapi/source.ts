import type { z } from 'zod'
import type { Assumption } from '../contract/assumptions.js'
import type { ErrorCode } from '../contract/errors.js'
import type { OperationContract } from '../contract/operations.js'

/** A row of an operations table, of the service or of another one. */
export interface DescribedOperation extends Omit<OperationContract, 'resource' | 'success'> {
  /** The tag that groups it. */
  readonly resource: string
  /** Status of its success; 204 has no body. */
  readonly success: number
}

/** What a document says of an operation beyond its row. */
export interface OperationDetail {
  /** What it does and what it is for, in a sentence or two. */
  readonly description: string
  /** What its success carries. */
  readonly success: string
  /** Media type of its success; default `application/json`. */
  readonly mediaType?: string
  readonly request?: unknown
  readonly response?: unknown
  /** Error messages that read differently here than in those of the document. */
  readonly errorMessages?: ErrorMessages
}

type ErrorMessages = Readonly<Partial<Record<ErrorCode, string>>>

/** What a document says of a path parameter. */
export interface ParameterDetail {
  readonly schema: z.ZodType
  readonly description: string
  readonly example: unknown
}

type Table<T> = Readonly<Record<string, T>>

/** The tables that an OpenAPI document is made from; those of operations are keyed by their ids. */
export interface OpenApiSource {
  readonly title: string
  readonly version: string
  /** Markdown. */
  readonly description: string
  /** Each tag with its description. */
  readonly tags: Table<string>
  readonly operations: Table<DescribedOperation>
  /** An operation without one is described by its summary alone. */
  readonly details: Table<OperationDetail>
  /** Queries that operations take: an object with a field for each parameter. */
  readonly querySchemas?: Table<z.ZodType>
  /** Bodies that operations take. */
  readonly requestSchemas: Table<z.ZodType>
  /** Bodies of success. */
  readonly responseSchemas: Table<z.ZodType>
  /**
   * Schemas that the document shows under a name and refers to. A response that is one of requests
   * is what can be sent again.
   */
  readonly components: { readonly requests: Table<z.ZodType>; readonly responses: Table<z.ZodType> }
  /** By the name in the path's braces. */
  readonly parameters: Table<ParameterDetail>
  /** Whether every response carries the rate-limit headers. */
  readonly isRateLimited: boolean
  /** Errors that a call can meet wherever it goes. */
  readonly commonErrors: readonly ErrorCode[]
  /** When a call meets one that its operation does not name, in a sentence. */
  readonly otherErrors: string
  /** Error messages that read differently here than in `errorMessages`. */
  readonly errorMessages?: ErrorMessages
  readonly assumptions: Table<Assumption>
}
