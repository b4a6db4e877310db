import { tokenHeader } from '../service/headers.js'
import type { OpenApiDocument } from '../service/openapi/build.js'
import { buildOpenApi } from '../service/openapi/build.js'
import type { DescribedOperation, OpenApiOptions } from '../service/openapi/source.js'
import { unroutedErrors } from '../service/operations/operation.js'
import { errorSchema, messageSchema } from '../service/schemas.js'
import { scenarioSchema, scenarioSummarySchema } from '../world/scenario/schema.js'
import {
  type ControlOperation,
  type ControlResource,
  controlAddresses,
  documentedControlErrors,
} from './operation.js'
import { controlResources } from './operations.js'
import { requestSchema } from './shown-request.js'

const description = `Controls a sandbox of the Pet Store Inventory Service; it is not part of the service.

The API key names the world, as in the service: a request with \`sbx_free_low-stock_ci-7\` controls
the world that requests of the service with this key reach, and no other. \`/sandbox\` controls the
worlds of the production and quickstart addresses, \`/staging/sandbox\` the worlds of staging.

A control request is never charged to a quota, and no rate limit, ban, fault or \`Prefer\` header
affects it. Its response has \`Cache-Control: no-store\`, and the journal does not record it.
If the key is valid, the response also has \`Sandbox-World-Generation\`, an integer that changes
whenever the world restarts, or is evicted and created again.

Lists are divided into pages of up to \`limit\` entries; a shorter page is the last one. For the next
page, send the id of the last entry, or the name of the last scenario, as \`after\`. The list of requests
begins with the newest: send the id of the last entry as \`before\`. The list of faults has one page.

A public sandbox can restrict control with 403 \`control_denied\`. With a key secret, the worlds of
keys without a label can be read but not changed, and \`POST /sandbox/keys\` issues a key for a separate
world. It can also require the \`Sandbox-Token\` header.

A page of another origin can neither control a world nor read it. Clients that are not browsers are
not restricted.`

const token = {
  type: 'apiKey',
  in: 'header',
  name: tokenHeader,
  description:
    'A token of the operator, which a sandbox can require in addition to the API key: for control requests, or for creating keys.',
}

const controlPath = '/sandbox'

/** Example messages that replace the messages of the error catalogue. */
const errorMessages = {
  invalid_json: 'the body must be JSON, found "{" (string)',
  missing_field: 'name is missing, wanted a string',
  invalid_parameter: 'verbose is not a known field, wanted none',
  control_denied: `this control request must have the ${tokenHeader} header with the token of this sandbox, found none`,
  payload_too_large: 'the body must be at most 8388608 bytes',
}

/** Returns the body of the response to the example request of an operation. */
type Respond = (operation: ControlOperation) => Promise<unknown>

/**
 * Returns the OpenAPI document of the control API, with the addresses of the HTTP sandbox. Its
 * paths begin with `/sandbox`, because the overview is at this path without a trailing slash.
 */
export async function describeControlApi(
  options: OpenApiOptions,
  respond: Respond,
): Promise<OpenApiDocument> {
  const described = controlResources.flatMap((resource) => describeResource(resource, respond))
  const operations = await Promise.all(described)
  return buildOpenApi({
    title: 'Control API of the Pet Store Inventory Service sandbox',
    description,
    tags: controlResources.map((resource) => ({
      name: resource.title,
      description: resource.description,
    })),
    operations: Object.fromEntries(operations),
    components: {
      request: { Scenario: scenarioSchema },
      response: {
        ScenarioSummary: scenarioSummarySchema,
        Request: requestSchema,
        Message: messageSchema,
        Error: errorSchema,
      },
    },
    token,
    pathPrefix: controlPath,
    ...options,
  })
}

function describeResource({ title, operations }: ControlResource, respond: Respond) {
  return Object.entries(operations).map(async ([id, operation]) => {
    const { path, response, errorMessages: own } = operation
    const body = response.body && {
      ...response.body,
      example: response.body.example ?? shorten(await respond(operation)),
    }
    const described: DescribedOperation = {
      ...operation,
      path: `${controlPath}${path}`,
      addresses: controlAddresses,
      tag: title,
      response: { ...response, ...(body && { body }) },
      errorMessages: { ...errorMessages, ...own },
      allErrors: [...documentedControlErrors(operation), ...unroutedErrors],
    }
    return [id, described] as const
  })
}

/** The number of entries that an example has of a longer list. */
const shownEntries = 4

/** Shortens the lists of a response. */
function shorten(example: unknown): unknown {
  const cut = (_name: string, value: unknown) =>
    Array.isArray(value) ? value.slice(0, shownEntries) : value
  return JSON.parse(JSON.stringify(example), cut)
}
