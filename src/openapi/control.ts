import { type AddressId, addresses } from '../contract/addresses.js'
import { int64NumberSchema } from '../contract/response-schemas.js'
import { type ControlResource, controlAddresses } from '../control/control-operation.js'
import { controlErrorMessages, controlOperationDetails } from '../control/operation-details.js'
import { buildOpenApi } from './build.js'
import { describedControlOperations } from './described-operations.js'
import type { OpenApiDocument, OpenApiOptions } from './document.js'
import { controlSchemas } from './document-schemas.js'
import { interfaceVersion, unroutedErrors } from './service.js'
import type { DescribedOperation } from './source.js'

/** What the control operations of each group are about. */
export const controlResources: Readonly<Record<ControlResource, string>> = {
  Overview: 'The world at a glance.',
  Scenario: 'What the world starts from, and how it is written down again.',
  Clock: 'The time of the world, on which windows, bans and the sunset depend.',
  Quota: 'What this key has used, and its ban.',
  Faults: 'What goes wrong: error statuses, delays and broken connections.',
  Requests: 'The journal: the calls that reached the world, and why they were answered so.',
  Data: 'Pets, store orders and messages, beyond what the service lets a client do.',
  Keys: 'Keys to worlds of their own.',
}

const description = `Steers a sandbox of the Pet Store Inventory Service; none of it is part of the
service.

The API key names the world, as it does at the service: a call with \`sbx_free_low-stock_ci-7\` steers
the world that the calls of the service with this key reach, and no other. \`/sandbox\` steers the
worlds of the production and quickstart addresses, \`/staging/sandbox\` those of staging.

A control call is never charged to a quota, and no rate limit, ban, fault or \`Prefer\` header touches
it. It is answered with \`Cache-Control: no-store\`, and the journal does not show it.

A page of another origin can neither steer a world nor read it; clients that are no browsers are not
asked where they come from.`

/**
 * The OpenAPI 3.1 document of steering, with the addresses of the HTTP sandbox. Its paths begin
 * with that of the steering address, because the overview is that address itself, without a slash
 * at its end.
 *
 * @param options Steering addresses, each ending in `/sandbox`.
 * @throws {RangeError} When one ends otherwise.
 */
export function toControlOpenApi({ servers = {} }: OpenApiOptions = {}): OpenApiDocument {
  return buildOpenApi(
    {
      title: 'Control API of the Pet Store Inventory Service sandbox',
      version: interfaceVersion,
      description,
      tags: controlResources,
      operations: toWholePaths(),
      details: controlOperationDetails,
      ...controlSchemas,
      parameters: {
        petId: {
          schema: int64NumberSchema,
          description: 'Identifier of the animal, in canonical decimal.',
          example: 7,
        },
        id: {
          schema: int64NumberSchema,
          description: 'Identifier of the store order, in canonical decimal.',
          example: 1005,
        },
      },
      isRateLimited: false,
      commonErrors: unroutedErrors,
      otherErrors: 'the call reached no operation, or the sandbox protects itself.',
      errorMessages: controlErrorMessages,
      assumptions: {},
    },
    { servers: Object.fromEntries(controlAddresses.map((id) => [id, toServer(id, servers)])) },
  )
}

const controlPath = '/sandbox'

function toWholePaths(): Record<string, DescribedOperation> {
  return Object.fromEntries(
    Object.entries(describedControlOperations).map(([id, operation]) => [
      id,
      { ...operation, path: `${controlPath}${operation.path}` },
    ]),
  )
}

/** An address without the part of it that every path begins with. */
function toServer(id: AddressId, servers: NonNullable<OpenApiOptions['servers']>): string {
  const address = servers[id] ?? addresses[id].httpPath
  if (!address.endsWith(controlPath)) {
    throw new RangeError(`the ${id} address must end in ${controlPath}, found ${address}`)
  }
  return address.slice(0, -controlPath.length) || '/'
}
