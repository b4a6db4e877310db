import { assumptions } from '../contract/assumptions.js'
import type { ErrorCode } from '../contract/errors.js'
import { operationDetails } from '../contract/operation-details.js'
import { operations } from '../contract/operations.js'
import { requestSchemas } from '../contract/request-schemas.js'
import {
  errorSchema,
  int64NumberSchema,
  inventoryItemSchema,
  orderRecordSchema,
  petRecordSchema,
  queuedMessageSchema,
  responseSchemas,
} from '../contract/response-schemas.js'
import { petStatusSchema } from '../contract/schemas.js'
import { buildOpenApi } from './build.js'
import type { OpenApiDocument, OpenApiOptions } from './document.js'

/** The version of the interface description (spec §9). */
export const interfaceVersion = '1.0.0'

/** Errors that a call can meet anywhere, before it is known which operation it is for. */
export const unroutedErrors = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'sandbox_capacity',
] as const satisfies readonly ErrorCode[]

/** Those, and what a preference can meet at any operation. */
export const commonErrors = [
  'invalid_parameter',
  ...unroutedErrors,
] as const satisfies readonly ErrorCode[]

const description = `A sandbox of the Pet Store Inventory Service.

Send any API key of the form \`sbx_<plan>\`, such as \`sbx_free\`, as the bearer token. A longer key,
\`sbx_<plan>_<scenario>_<label>\`, reaches a world of its own, such as \`sbx_free_low-stock_ci-7\`.

The request header \`Prefer: code=404\` asks for one of the statuses that an operation documents, and
\`Prefer: wait=2\` for a delay in seconds.

Where the specification leaves something open, \`x-assumption\` names the rows of \`x-assumptions\`
that say what is done here.`

/** The OpenAPI 3.1 document of the service, with the addresses of the HTTP sandbox. */
export function toOpenApi(options: OpenApiOptions = {}): OpenApiDocument {
  return buildOpenApi(
    {
      title: 'Pet Store Inventory Service (sandbox)',
      version: interfaceVersion,
      description,
      tags: {
        Store: 'The inventory, which tracks stock levels for pets, and the store orders.',
        Pets: 'The pets themselves.',
        Messages: 'The example of the quickstart, at an address of its own.',
      },
      operations,
      details: operationDetails,
      requestSchemas,
      responseSchemas,
      components: {
        requests: {
          InventoryUpdate: requestSchemas.updateInventory,
          MessageRequest: requestSchemas.sendMessage,
        },
        responses: {
          InventoryItem: inventoryItemSchema,
          PetStatus: petStatusSchema,
          Pet: petRecordSchema,
          Order: orderRecordSchema,
          Message: queuedMessageSchema,
          Error: errorSchema,
        },
      },
      parameters: {
        petId: {
          schema: int64NumberSchema,
          description: 'Identifier of the animal, in canonical decimal.',
          example: 7,
        },
      },
      isRateLimited: true,
      commonErrors,
      otherErrors:
        'the call reached no operation or prefers what is not offered, the sandbox protects itself, or the scenario has a fault.',
      assumptions,
    },
    options,
  )
}
