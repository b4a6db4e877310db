import type * as z from 'zod/mini'
import type { AddressId } from '../addresses.js'
import type { Assumption } from '../assumptions.js'
import type { ErrorCode } from '../errors.js'
import type { Method, OperationContract } from '../operations/operation.js'
import type { preferences } from '../preferences.js'
import type { Direction, JsonSchema, OpenApiVersion } from './schemas.js'

/** The part of an OpenAPI document that this project uses. */
export interface OpenApiDocument {
  readonly openapi: '3.0.4' | '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly url: string }
  }
  readonly externalDocs?: { readonly description: string; readonly url: string }
  readonly servers: readonly Server[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, Header>>
  }
  /** The assumptions that `x-assumption` refers to, by id. */
  readonly 'x-assumptions'?: Readonly<Record<string, DocumentedAssumption>>
  /** The preferences that a request may have in its header `Prefer` (RFC 7240), by name. */
  readonly 'x-preferences'?: typeof preferences
  /** The error catalogue: each `code` with its status and meaning. */
  readonly 'x-error-codes': Readonly<Record<string, { status: number; meaning: string }>>
}

export interface DocumentedAssumption extends Assumption {
  /** The operations that it concerns. Absent if it concerns all. */
  readonly operations?: readonly string[]
}

export interface Server {
  readonly url: string
  readonly description: string
}

/** The operations of a path by lower-case method, and its own servers if they differ. */
export type PathItem = Readonly<Partial<Record<Lowercase<Method>, Operation>>> & {
  readonly servers?: readonly Server[]
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated?: true
  readonly 'x-stability-level'?: string
  readonly 'x-assumption'?: readonly string[]
  /** Its own servers if they differ from those of the document. */
  readonly servers?: readonly Server[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  /** The values of `code` that are known for this status of the operation. */
  readonly 'x-error-codes'?: readonly string[]
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Content
}

export interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: object
  readonly example: number | string
}

export interface Reference {
  readonly $ref: string
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { summary: string; value: unknown }>>
}

export interface OpenApiOptions {
  /** URL of the sandbox without a trailing slash. Default: all URLs are relative to the document. */
  readonly root?: string
  /** Version of OpenAPI. Default: 3.1. */
  readonly openapi?: OpenApiVersion
}

type Table<T> = Readonly<Record<string, T>>

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
  /** Every documented error, with those of every operation. */
  readonly allErrors: readonly ErrorCode[]
}

/** The input of an OpenAPI document. */
export interface OpenApiSource
  extends OpenApiOptions,
    Pick<OpenApiDocument, 'externalDocs' | 'tags'> {
  readonly title: string
  /** Markdown. */
  readonly description: string
  /** The operations by operationId. */
  readonly operations: Table<DescribedOperation>
  /** Prefix of all paths, which the URLs of the servers then lack. Default: none. */
  readonly pathPrefix?: string
  /**
   * Additional named schemas. A response whose schema is in `request` is a reference to it.
   */
  readonly components: Readonly<Partial<Record<Direction, Table<z.ZodMiniType>>>>
  /** The security scheme of a token that a request may need in addition to the API key. */
  readonly token?: object
  /**
   * The preferences that a request may have in its header `Prefer`, if the document is that of the
   * service: its responses have the rate-limit headers. Those of the control API have the generation
   * of the world, if the key is valid.
   */
  readonly preferences?: typeof preferences
  readonly assumptions?: Table<Assumption>
}
