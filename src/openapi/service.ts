import { assumptions } from '../contract/assumptions.js'
import type { ErrorCode } from '../contract/errors.js'
import { errorSchema, int64NumberSchema, orderRecordSchema } from '../contract/response-schemas.js'
import { petStatusSchema } from '../contract/schemas.js'
import { documentedErrors } from '../operations/operation.js'
import { operationIds, operations } from '../operations/operations.js'
import { buildOpenApi } from './build.js'
import type { OpenApiDocument, OpenApiOptions } from './document.js'
import type { DescribedOperation } from './source.js'

/** The version of the interface description (spec §9). */
export const interfaceVersion = '1.0.0'

/** Errors that any request can receive, before its operation is known. */
export const unroutedErrors = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'host_not_allowed',
  'headers_too_large',
  'sandbox_capacity',
] as const satisfies readonly ErrorCode[]

/** Errors that any request of the service can receive; `invalid_parameter` for a bad preference. */
export const commonErrors = [
  'invalid_parameter',
  ...unroutedErrors,
] as const satisfies readonly ErrorCode[]

const description = `A sandbox of the Pet Store Inventory Service.

Send any API key of the form \`sbx_<plan>\`, such as \`sbx_free\`, as the bearer token. A longer key,
\`sbx_<plan>_<scenario>_<label>\`, has a separate world, such as \`sbx_free_low-stock_ci-7\`.

The request header \`Prefer: code=404\` requests one of the statuses that an operation documents, and
\`Prefer: wait=2\` a delay in seconds.

Where the specification leaves something open, \`x-assumption\` names the rows of \`x-assumptions\`
that say what the sandbox does.`

/** Every operation of the service, as the document describes it. */
export function describeServiceOperations(): Record<string, DescribedOperation> {
  return Object.fromEntries(
    operationIds.map((id) => {
      const operation = operations[id]
      const { resource: tag, path } = operation
      const errorMessages = {
        ...(path.includes('{petId}') && { invalid_parameter: invalidPetId }),
        ...operation.errorMessages,
      }
      return [id, { ...operation, tag, errorMessages, allErrors: documentedErrors(operation) }]
    }),
  )
}

const invalidPetId =
  'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)'

/** Returns the OpenAPI 3.1 document of the service, with the addresses of the HTTP sandbox. */
export function toOpenApi(options: OpenApiOptions = {}): OpenApiDocument {
  return buildOpenApi(
    {
      title: 'Pet Store Inventory Service (sandbox)',
      version: interfaceVersion,
      description,
      tags: {
        Store: 'The inventory, which tracks stock levels for pets, and the store orders.',
        Pets: 'The pets themselves.',
        Messages: 'The example of the quickstart, at a separate address.',
      },
      operations: describeServiceOperations(),
      components: {
        requests: {},
        responses: {
          PetStatus: petStatusSchema(),
          Order: orderRecordSchema(),
          Error: errorSchema(),
        },
      },
      parameters: {
        petId: {
          schema: int64NumberSchema(),
          description: 'Identifier of the animal, in canonical decimal.',
          example: 7,
        },
      },
      isRateLimited: true,
      hasGeneration: false,
      commonErrors,
      otherErrors:
        'the request matched no operation or has an unsupported preference, the sandbox has reached a capacity limit, or a fault applies.',
      assumptions,
    },
    options,
  )
}
