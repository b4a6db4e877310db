import type { OpenApiDocument, Operation, Parameter } from '../../service/openapi/build.js'
import type { Response } from '../../service/openapi/responses.js'
import {
  type BaseUrl,
  listOperations,
  type PlacedOperation,
  type Roots,
  toBaseUrl,
} from './openapi.js'

/** The parts of the service's OpenAPI document that the page shows. */
export interface ServiceContract {
  readonly operations: readonly ServiceOperation[]
  readonly assumptions: Readonly<Record<string, DocumentedAssumption>>
  /** All error codes of the service. */
  readonly errors: readonly DocumentedError[]
}

export interface ServiceOperation {
  readonly id: string
  readonly method: string
  /** Below the base URL, with parameters in braces. */
  readonly path: string
  readonly bases: readonly BaseUrl[]
  readonly summary: string
  readonly description: string
  /** Stability level (spec §9), such as `experimental`. */
  readonly stability: string | undefined
  readonly isDeprecated: boolean
  readonly parameters: readonly DocumentedParameter[]
  /** The statuses that a client can request with `Prefer`, in ascending order. */
  readonly preferableStatuses: readonly number[]
  /** Maximum of the delay that a client can request with `Prefer`, in seconds. */
  readonly longestDelay: number | undefined
  /** Undefined for an operation without a request body. */
  readonly requestExample: unknown
  readonly success: { readonly status: number; readonly description: string }
  /** Sorted by status. */
  readonly errors: readonly DocumentedError[]
  /** Ids of assumptions. */
  readonly assumptions: readonly string[]
}

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly isRequired: boolean
  /** Empty without an example. */
  readonly example: string
}

export interface DocumentedError {
  readonly code: string
  readonly status: number
  readonly meaning: string
}

export type DocumentedAssumption = NonNullable<OpenApiDocument['x-assumptions']>[string]

/** Reads the OpenAPI document of the service. */
export function readServiceContract(document: OpenApiDocument, roots: Roots): ServiceContract {
  const placed = listOperations(document)
  return {
    operations: placed.map((operation) => toServiceOperation(operation, roots, document)),
    assumptions: document['x-assumptions'] ?? {},
    errors: Object.entries(document['x-error-codes']).map(([code, row]) => ({ code, ...row })),
  }
}

/** Finds an operation by its id. */
export function findOperation(
  { operations }: Pick<ServiceContract, 'operations'>,
  id: string,
): ServiceOperation | undefined {
  return operations.find((operation) => operation.id === id)
}

/**
 * Returns the error code in the response to `Prefer: code=<status>`; undefined for a success. Every
 * request of the page has a key, so `missing_api_key` never occurs.
 */
export function predictErrorCode({ errors }: ServiceOperation, status: number): string | undefined {
  return errors.find((error) => error.status === status && error.code !== 'missing_api_key')?.code
}

function toServiceOperation(
  { method, path, operation, servers }: PlacedOperation,
  roots: Roots,
  { 'x-preferences': preferences }: OpenApiDocument,
): ServiceOperation {
  const body = operation.requestBody?.content['application/json']
  return {
    id: operation.operationId,
    method,
    path,
    bases: servers.map((server) => toBaseUrl(server, roots)),
    summary: operation.summary,
    // The other paragraphs repeat the stability level, the deprecation and the assumptions.
    description: operation.description.split('\n\n', 1).join(),
    stability: operation['x-stability-level'],
    isDeprecated: operation.deprecated ?? false,
    parameters: (operation.parameters ?? []).map(toParameter),
    preferableStatuses: preferences ? readStatuses(operation) : [],
    longestDelay: preferences?.delay.schema.maximum,
    requestExample: body && (body.example ?? {}),
    ...readResponses(operation.responses),
    assumptions: operation['x-assumption'] ?? [],
  }
}

function toParameter({ name, in: place, required, example }: Parameter): DocumentedParameter {
  const shown = example === undefined ? '' : String(example)
  return { name, in: place, isRequired: required, example: shown }
}

function readStatuses({ responses }: Operation): readonly number[] {
  return Object.keys(responses).map(Number)
}

function readResponses(
  responses: Readonly<Record<string, Response>>,
): Pick<ServiceOperation, 'success' | 'errors'> {
  const byStatus = Object.entries(responses).flatMap(([key, response]) =>
    /^\d+$/.test(key) ? [{ status: Number(key), response }] : [],
  )
  const success = byStatus.find(({ status }) => status < 400)
  const errors = byStatus.filter(({ status }) => status >= 400)
  return {
    success: {
      status: success?.status ?? 200,
      description: success?.response.description ?? '',
    },
    errors: errors.flatMap(({ status, response }) =>
      Object.entries(response.content?.['application/json']?.examples ?? {}).map(
        ([code, { summary }]) => ({ code, status, meaning: summary }),
      ),
    ),
  }
}
