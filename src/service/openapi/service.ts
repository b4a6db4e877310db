import * as z from 'zod/mini'
import { annotate } from '../annotate.js'
import { assumptions } from '../assumptions.js'
import type { ErrorCode } from '../errors.js'
import { commonErrors, documentedErrors } from '../operations/operation.js'
import { operationIds, operations } from '../operations/operations.js'
import { preferences } from '../preferences.js'
import { errorSchema, orderRecordSchema, petStatusSchema } from '../schemas.js'
import type { OpenApiDocument } from './build.js'
import { buildOpenApi } from './build.js'
import type { DescribedOperation, OpenApiOptions } from './source.js'

const description = `A sandbox of the Pet Store Inventory Service.

Send any API key of the form \`sbx_<plan>\`, such as \`sbx_free\`, as the bearer token. A longer key,
\`sbx_<plan>_<scenario>_<label>\`, has a separate world, such as \`sbx_free_low-stock_ci-7\`.

Where the specification leaves something open, \`x-assumption\` names the rows of \`x-assumptions\`
that say what the sandbox does. The external documentation shows them on one page.

The set of values of \`code\` is open: \`x-error-codes\` of a response lists the known values for its
operation and status. A fault of a scenario can respond with any status from 400 to 599.

A \`Prefer\` header (RFC 7240) requests one response of the sandbox; it is not part of the service.
\`x-preferences\` lists what it accepts: \`code=429\` for any status that the operation documents,
\`delay=2\` for a delay in seconds. \`Preference-Applied\` says what was applied. Other preferences are
ignored, or with \`handling=strict\` rejected with 400. \`wait\` never delays: it is an upper bound.`

/** The parameter of a path with `{petId}`. An operation can replace the messages. */
const petId = {
  pathParameter: { description: 'Identifier of the animal, in canonical decimal.', example: 7 },
  errorMessages: {
    invalid_parameter:
      'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)',
  },
}

/** Every operation of the service, as the document describes it. */
export function describeServiceOperations(): Record<string, DescribedOperation> {
  return Object.fromEntries(
    operationIds.map((id) => {
      const operation = operations[id]
      const { resource: tag, path } = operation
      const allErrors = [...documentedErrors(operation), ...commonErrors]
      return [id, { ...(path.includes('{petId}') && petId), ...operation, tag, allErrors }]
    }),
  )
}

/** Returns the known values of `code` in responses of the service. */
function listServiceErrors(): ErrorCode[] {
  const own = operationIds.flatMap((id) => documentedErrors(operations[id]))
  // Of requests that match no operation.
  const others: ErrorCode[] = ['malformed_request', 'route_not_found', 'method_not_allowed']
  return [...new Set([...own, ...commonErrors, ...others])].sort()
}

/** Returns the OpenAPI document of the service, with the addresses of the HTTP sandbox. */
export function toOpenApi(options: OpenApiOptions = {}): OpenApiDocument {
  return buildOpenApi({
    title: 'Pet Store Inventory Service (sandbox)',
    description,
    externalDocs: {
      description: 'What the specification does not state, and the behaviour of the sandbox',
      url: `${options.root ?? ''}/#reference`,
    },
    tags: [
      {
        name: 'Store',
        description: 'The inventory, which tracks stock levels for pets, and the store orders.',
      },
      { name: 'Pets', description: 'The pets themselves.' },
      { name: 'Messages', description: 'The example of the quickstart, at a separate address.' },
    ],
    operations: describeServiceOperations(),
    components: {
      response: {
        PetStatus: petStatusSchema,
        Order: orderRecordSchema,
        Error: z.extend(errorSchema, {
          code: annotate(errorSchema.shape.code, { 'x-extensible-enum': listServiceErrors() }),
        }),
      },
    },
    preferences,
    assumptions,
    ...options,
  })
}
