import type * as z from 'zod/mini'
import type { AddressId } from '../addresses.js'
import type { Assumption } from '../assumptions.js'
import type { ErrorCode } from '../errors.js'
import type { OperationContract } from '../operations/operation.js'
import type { preferences } from '../preferences.js'
import type { Direction, OpenApiVersion } from './schemas.js'

export interface OpenApiOptions {
  /** URL of the sandbox without a trailing slash. Default: all URLs are relative to the document. */
  readonly root?: string
  /** Version of OpenAPI. Default: 3.1. */
  readonly openapi?: OpenApiVersion
}

/** An operation as a document describes it. */
export interface DescribedOperation extends OperationContract {
  readonly addresses: readonly AddressId[]
  readonly tag: string
  readonly stability?: 'experimental' | 'beta' | undefined
  readonly deprecated?: true | undefined
  /** Ids of rows of `assumptions`. */
  readonly assumptions?: readonly string[]
  /** Query parameters: an object schema with a field for each. */
  readonly query?: z.ZodMiniType | undefined
  /** Every documented error, also the errors of all operations. */
  readonly allErrors: readonly ErrorCode[]
}

/** The input of an OpenAPI document. */
export interface OpenApiSource extends OpenApiOptions {
  readonly title: string
  /** Markdown. */
  readonly description: string
  readonly externalDocs?: { readonly description: string; readonly url: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** The operations by operationId. */
  readonly operations: Readonly<Record<string, DescribedOperation>>
  /** Prefix of all paths. The URLs of the servers do not contain it. Default: none. */
  readonly pathPrefix?: string
  /**
   * Additional named schemas. A response whose schema is in `request` is a reference to it.
   */
  readonly components: Readonly<Partial<Record<Direction, Readonly<Record<string, z.ZodMiniType>>>>>
  /** The security scheme of a token that a request may need in addition to the API key. */
  readonly token?: object
  /**
   * The preferences of the header `Prefer`, in the document of the service. Its responses then have the
   * rate-limit headers; otherwise they have the generation of the world, if the key is valid.
   */
  readonly preferences?: typeof preferences
  readonly assumptions?: Readonly<Record<string, Assumption>>
}
