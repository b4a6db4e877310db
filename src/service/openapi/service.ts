import { assumptions } from '../assumptions.js'
import type { ErrorCode } from '../errors.js'
import { documentedErrors } from '../operations/operation.js'
import { type OperationId, operationIds, operations } from '../operations/operations.js'
import { errorSchema, int64NumberSchema, orderRecordSchema } from '../response-schemas.js'
import { petStatusSchema } from '../schemas.js'
import { buildOpenApi } from './build.js'
import type { OpenApiDocument, OpenApiOptions } from './document.js'
import type { DescribedOperation } from './source.js'

/** The version of the interface description (spec §9). */
export const interfaceVersion = '1.0.0'

/** Errors that a well-formed request of every documented operation can receive. */
export const unroutedErrors = [
  'request_timeout',
  'host_not_allowed',
  'headers_too_large',
  'sandbox_capacity',
  'sandbox_unavailable',
] as const satisfies readonly ErrorCode[]

/** Errors that any request of the service can receive; `invalid_parameter` for a bad preference. */
export const commonErrors = [
  'invalid_parameter',
  ...unroutedErrors,
] as const satisfies readonly ErrorCode[]

/** Errors of requests that match no operation. */
const unmatchedErrors = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
] as const satisfies readonly ErrorCode[]

const description = `A sandbox of the Pet Store Inventory Service.

Send any API key of the form \`sbx_<plan>\`, such as \`sbx_free\`, as the bearer token. A longer key,
\`sbx_<plan>_<scenario>_<label>\`, has a separate world, such as \`sbx_free_low-stock_ci-7\`.

Where the specification leaves something open, \`x-assumption\` names the rows of \`x-assumptions\`
that say what the sandbox does. The external documentation shows them on one page.

The set of values of \`code\` is open: \`x-error-codes\` lists the known ones, at each response those of
its operation and status. A fault of a scenario can respond with any status from 400 to 599.`

const sent = '`rules.messageStatus` of the scenario (A10)'

/** Statuses of a success that a scenario can choose, by operation. */
const otherStatuses: Readonly<Partial<Record<OperationId, Readonly<Record<number, string>>>>> = {
  sendMessage: { 201: `If ${sent} is 201.`, 202: `If ${sent} is 202.` },
}

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
      const allErrors = documentedErrors(operation)
      const described = { ...operation, tag, errorMessages, allErrors }
      return [id, { ...described, otherStatuses: otherStatuses[id] }]
    }),
  )
}

const invalidPetId =
  'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)'

const quantityBounds = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const quantityNote =
  'The new stock count. A scenario can set other bounds in `rules.quantity` (A02).'

/** Returns the known values of `code` in responses of the service. */
function listServiceErrors(): ErrorCode[] {
  const own = operationIds.flatMap((id) => documentedErrors(operations[id]))
  return [...new Set([...own, ...commonErrors, ...unmatchedErrors])].sort()
}

/** Returns the OpenAPI 3.1 document of the service, with the addresses of the HTTP sandbox. */
export function toOpenApi(options: OpenApiOptions = {}): OpenApiDocument {
  return buildOpenApi(
    {
      title: 'Pet Store Inventory Service (sandbox)',
      version: interfaceVersion,
      description,
      externalDocs: {
        description: 'What the specification does not state, and the behaviour of the sandbox',
        path: '/#reference',
      },
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
      hasPreferences: true,
      commonErrors,
      details: {
        InventoryUpdate: { quantity: { ...quantityBounds, description: quantityNote } },
        Error: { code: { 'x-extensible-enum': listServiceErrors() } },
      },
      assumptions,
    },
    options,
  )
}
