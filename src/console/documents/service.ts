import { addresses } from '../../service/addresses.js'
import type { OpenApiDocument, Operation, Parameter, Server } from '../../service/openapi/build.js'
import type { Response } from '../../service/openapi/responses.js'

/** The parts of the service's OpenAPI document that the page shows. */
export type ServiceContract = ReturnType<typeof readServiceContract>

export type ServiceOperation = ReturnType<typeof toServiceOperation>

export interface DocumentedError {
  readonly code: string
  readonly status: number
  readonly meaning: string
}

export type DocumentedAssumption = NonNullable<OpenApiDocument['x-assumptions']>[string]

/**
 * Reads the OpenAPI document of the service.
 *
 * @param root URL of the sandbox, without a trailing slash.
 */
export function readServiceContract(document: OpenApiDocument, root: string) {
  const operations = Object.entries(document.paths).flatMap(([path, { servers: _, ...item }]) =>
    Object.entries<Operation>(item).map(([method, operation]) =>
      toServiceOperation(method, path, operation, root, document),
    ),
  )
  return {
    operations,
    assumptions: document['x-assumptions'] ?? {},
    /** All error codes of the service. */
    errors: Object.entries(document['x-error-codes']).map(([code, row]) => ({ code, ...row })),
  }
}

function toServiceOperation(
  method: string,
  path: string,
  operation: Operation,
  root: string,
  document: OpenApiDocument,
) {
  const { servers = document.servers, parameters = [], responses } = operation
  const body = operation.requestBody?.content['application/json']
  const all = Object.entries(responses).map(([status, response]) => ({
    status: Number(status),
    response,
  }))
  const success = all.find(({ status }) => status < 400)
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    /** Below the base URL, with parameters in braces. */
    path,
    bases: servers.flatMap((server) => toBaseUrl(server, root)),
    summary: operation.summary,
    /** Paragraphs; those after the first state the stability level and the deprecation (spec §9). */
    description: operation.description.split('\n\n'),
    /** Stability level (spec §9), such as `experimental`. */
    stability: operation['x-stability-level'],
    isDeprecated: operation.deprecated ?? false,
    parameters: parameters.map(toParameter),
    /** The statuses that a client can request with `Prefer`, in ascending order. */
    preferableStatuses: document['x-preferences'] ? all.map(({ status }) => status) : [],
    /** Maximum of the delay that a client can request with `Prefer`, in seconds. */
    longestDelay: document['x-preferences']?.delay.schema.maximum,
    /** Undefined for an operation without a request body. */
    requestExample: body && (body.example ?? {}),
    success: { status: success?.status ?? 200, description: success?.response.description ?? '' },
    /** Sorted by status. */
    errors: all.filter(({ status }) => status >= 400).flatMap(toErrors),
    /** Ids of assumptions. */
    assumptions: operation['x-assumption'] ?? [],
  }
}

/**
 * Returns the base URL of a server below the root. A reverse proxy can serve the sandbox at another
 * URL than the document names.
 */
function toBaseUrl({ description }: Server, root: string) {
  const address = Object.values(addresses).find(({ title }) => title === description)
  if (!address) return []
  const { httpPath, environment } = address
  return [{ url: root + httpPath, path: httpPath, environment }]
}

/** An example is empty if there is none. */
function toParameter({ name, in: place, required, example = '' }: Parameter) {
  return { name, in: place, isRequired: required, example: String(example) }
}

function toErrors(documented: { status: number; response: Response }): DocumentedError[] {
  const { status, response } = documented
  const examples = response.content?.['application/json']?.examples ?? {}
  return Object.entries(examples).map(([code, { summary }]) => ({ code, status, meaning: summary }))
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
