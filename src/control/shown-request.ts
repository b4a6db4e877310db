import * as z from 'zod/mini'
import { type AddressId, addresses, environments } from '../service/addresses.js'
import { annotate } from '../service/annotate.js'
import { readHeaders } from '../service/headers.js'
import { timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import type { PendingRequest, RecordedEntry } from '../world/journal/entry.js'
import { hidesDetails } from './access.js'
import type { ControlledSandbox } from './operation.js'
import type { World } from './world.js'

const addressIds = Object.keys(addresses) as AddressId[] // the keys of a const table

const sentSchema = z.strictObject({
  method: z.string(),
  path: annotate(z.string(), 'Path below the base address, as sent.'),
  query: annotate(
    z.nullable(z.string()),
    'Query without the ?, credentials masked; null for none.',
  ),
  headers: annotate(
    z.record(z.string(), z.string()),
    'By lower-case name, at most 50; credentials are masked.',
  ),
  body: annotate(z.nullable(z.string()), 'Truncated beyond 4 KiB; null for none.'),
})

const responseSchema = z.strictObject({
  status: annotate(z.int(), '0 if a fault or the client closed the connection.'),
  aborted: annotate(z.boolean(), 'Whether the client disconnected before the response.'),
  code: annotate(z.nullable(z.string()), 'The code of an Error body.'),
  headers: annotate(z.record(z.string(), z.string()), 'By lower-case name.'),
  body: annotate(z.nullable(z.string()), 'Truncated beyond 4 KiB; null for none.'),
})

/** A journal entry in a control response. */
export const requestSchema = z.strictObject({
  id: annotate(z.int(), 'Sequence number in the world, from 1.'),
  requestId: annotate(z.string(), 'Value of the header X-Request-Id of the response.'),
  at: annotate(timestampSchema, 'Time of the response, on the clock of the world.'),
  durationMs: annotate(z.number(), 'Real time between request and response, in milliseconds.'),
  environment: annotate(z.enum(environments), 'Deployment that received the request.'),
  address: annotate(
    z.nullable(z.enum(addressIds)),
    'Base address that received the request; null for none.',
  ),
  operation: annotate(z.nullable(z.string()), 'Id of the operation; null if none matched.'),
  userHandled: annotate(z.boolean(), 'Whether a user handler responded.'),
  nearestOperation: annotate(
    z.nullable(z.string()),
    'Id of the most similar operation; null if one matched or none is similar.',
  ),
  apiKey: annotate(z.nullable(z.string()), 'Key of the request, masked; null for none.'),
  request: annotate(sentSchema, 'The request.'),
  response: annotate(responseSchema, 'The response.'),
  explanation: annotate(z.array(z.string()), 'The decision of each processing step, in order.'),
  incomplete: annotate(
    z.array(z.string()),
    'Parts that are truncated or not recorded, such as requestBody.',
  ),
  changes: annotate(
    z.array(z.looseObject({ type: annotate(z.string(), 'Kind of change, such as quantity.set.') })),
    'The changes that the request made to the world. A message is truncated beyond 4 KiB.',
  ),
})

/** A request without a response yet. */
export const pendingSchema = z.strictObject({
  receivedAt: annotate(timestampSchema, 'Time when its processing began.'),
  address: annotate(z.enum(addressIds), 'Base address that received the request.'),
  method: z.string(),
  path: annotate(z.string(), 'Path below the base address, as sent.'),
  operation: annotate(z.nullable(z.string()), 'Id of the operation; null if none matched.'),
  apiKey: annotate(z.nullable(z.string()), 'Key of the request, masked.'),
})

export type ShownRequest = z.output<typeof requestSchema>

/** Returns the function that converts the journal entries of a world for control responses. */
export function toShownRequest(
  { access }: ControlledSandbox,
  world: World,
): (entry: RecordedEntry) => ShownRequest {
  return hidesDetails(access, world) ? (entry) => withoutDetails(toRequest(entry)) : toRequest
}

/** Removes everything that the client sent, except method, path and key. */
function withoutDetails(shown: ShownRequest): ShownRequest {
  const { request, response, explanation, changes } = shown
  return {
    ...shown,
    request: { ...request, query: null, headers: {}, body: null },
    response: { ...response, headers: {}, body: null },
    incomplete: [
      ...shown.incomplete.filter((part) => part === 'path'),
      ...['query', 'requestHeaders', 'requestBody', 'responseBody'],
    ],
    // The message of an error contains what it rejects.
    explanation: explanation.map((line) => line.replace(/^(rejected with \d+ \w+):.*$/s, '$1')),
    changes: changes.map(({ type }) => ({ type })),
  }
}

/** Converts a journal entry for a control response. */
function toRequest(entry: RecordedEntry): ShownRequest {
  const { id, requestId, durationMs, environment, method, path, status, aborted } = entry
  return {
    id,
    requestId,
    at: toTimestamp(entry.atMs),
    durationMs,
    environment,
    address: entry.address ?? null,
    operation: entry.operation ?? null,
    userHandled: entry.isUserHandled,
    nearestOperation: entry.nearestOperation ?? null,
    apiKey: entry.apiKey ?? null,
    request: {
      method,
      path,
      query: entry.query || null,
      headers: readHeaders(entry.requestHeaders),
      body: entry.requestBody ?? null,
    },
    response: {
      status,
      aborted,
      code: entry.code ?? null,
      headers: readHeaders(entry.responseHeaders),
      body: entry.responseBody ?? null,
    },
    explanation: [...entry.explanation],
    incomplete: [...(entry.incomplete ?? [])],
    changes: entry.changes.map((change) => ({ ...change })),
  }
}

/** Converts a pending request for a control response. */
export function toShownPending(request: PendingRequest): z.output<typeof pendingSchema> {
  const { receivedAtMs, address, method, path, operation = null, apiKey = null } = request
  return { receivedAt: toTimestamp(receivedAtMs), address, method, path, operation, apiKey }
}
