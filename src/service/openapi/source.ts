import type * as z from 'zod/mini'
import type { AddressId } from '../addresses.js'
import type { Assumption } from '../assumptions.js'
import type { ErrorCode } from '../errors.js'
import type { OperationContract } from '../operations/operation.js'
import type { preferences } from '../preferences.js'

type Table<T> = Readonly<Record<string, T>>

/** An operation as a document describes it. */
export interface DescribedOperation extends OperationContract {
  readonly addresses: readonly AddressId[]
  readonly tag: string
  readonly stability?: 'experimental' | 'beta' | undefined
  readonly deprecated?: true | undefined
  /** Ids of rows of `assumptions`. */
  readonly assumptions: readonly string[]
  /** Query parameters: an object schema with a field for each. */
  readonly query?: z.ZodMiniType | undefined
  /** Every documented error, with those of every operation. */
  readonly allErrors: readonly ErrorCode[]
}

/** The input of an OpenAPI document. */
export interface OpenApiSource {
  readonly title: string
  readonly version: string
  /** Markdown. */
  readonly description: string
  /** A page that explains more. `path` is below the URL of the sandbox. */
  readonly externalDocs?: { readonly description: string; readonly path: string }
  /** Descriptions of the tags, by name. */
  readonly tags: Table<string>
  /** The operations by operationId. */
  readonly operations: Table<DescribedOperation>
  /** Prefix of all paths, which the URLs of the servers then lack. Default: none. */
  readonly pathPrefix?: string
  /**
   * Additional named schemas. A response whose schema is in `request` is a reference to it.
   */
  readonly components: {
    readonly request: Table<z.ZodMiniType>
    readonly response: Table<z.ZodMiniType>
  }
  /** The path parameters by name, all int64s, that operations do not describe. */
  readonly parameters: Table<{ description: string; example: unknown }>
  /** A header with a token that a request may need in addition to the API key. */
  readonly token?: { readonly header: string; readonly description: string }
  /** Whether every response has the rate-limit headers. */
  readonly isRateLimited: boolean
  /** Whether every response to a request with a valid key has the generation of the world. */
  readonly hasGeneration: boolean
  /** The preferences that a request may have in its header `Prefer`. Default: none. */
  readonly preferences?: typeof preferences
  /** Keywords that are added to the properties of named schemas. */
  readonly details?: Table<Table<object>>
  readonly assumptions: Table<Assumption>
}
