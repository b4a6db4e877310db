import { z } from 'zod'
import { environments } from '../contract/addresses.js'
import { timestampSchema } from '../contract/schemas.js'
import type { JournalEntry } from '../world/journal.js'
import { findCalls } from './calls.js'
import { defineControl } from './control-operation.js'
import { nearestOperation } from './nearest-operation.js'
import { toTimestamp } from './timestamp.js'

/** A call as the control API shows it. */
export const requestSchema = z.strictObject({
  id: z.int(),
  at: timestampSchema,
  durationMs: z.number(),
  environment: z.enum(environments),
  operation: z.string().nullable().describe('null when no operation matched.'),
  nearestOperation: z.string().nullable().describe('Only where no operation matched.'),
  apiKey: z.string().nullable().describe('Masked.'),
  request: z.strictObject({
    method: z.string(),
    path: z.string(),
    body: z.string().nullable(),
  }),
  response: z.strictObject({
    status: z.int().describe('0 when a fault broke the connection.'),
    code: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  explanation: z.array(z.string()),
  changes: z.array(z.looseObject({ type: z.string() })),
})

const querySchema = z.strictObject({
  operation: z.string().optional().describe('Only calls of this operation.'),
  status: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'a status such as 429' })
    .transform(Number)
    .optional()
    .describe('Only answers with this status.'),
  since: timestampSchema.optional().describe('Only calls from this moment of the world on.'),
  unmatched: z.enum(['true', 'false']).optional().describe('true: only calls of no operation.'),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'a number from 1 to 99999' })
    .transform(Number)
    .optional()
    .describe('At most so many; default 100.'),
})

export const listRequests = defineControl({
  method: 'GET',
  path: '/requests',
  resource: 'Requests',
  summary: 'List the calls that reached the world, the newest first',
  query: querySchema,
  response: z.array(requestSchema),
  run({ world, query }) {
    const { operation, status, since, unmatched, limit = 100 } = query
    const found = findCalls(world.journal, {
      ...(operation !== undefined && { operation }),
      ...(status !== undefined && { status }),
      ...(since !== undefined && { sinceMs: Date.parse(since) }),
      ...(unmatched !== undefined && { unmatched: unmatched === 'true' }),
    })
    return found.toReversed().slice(0, limit).map(toRequest)
  },
})

export const clearRequests = defineControl({
  method: 'DELETE',
  path: '/requests',
  resource: 'Requests',
  summary: 'Clear the journal and nothing else',
  response: z.strictObject({ removed: z.int() }),
  run({ world }) {
    const removed = world.journal.size
    world.journal.clear()
    return { removed }
  },
})

/** A journal entry as the control API shows it. */
export function toRequest(entry: JournalEntry): z.output<typeof requestSchema> {
  const { id, durationMs, environment, operation, apiKey, method, path, status, code } = entry
  return {
    id,
    at: toTimestamp(entry.atMs),
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    environment,
    operation: operation ?? null,
    nearestOperation: operation === undefined ? nearestOperation(method, path) : null,
    apiKey: apiKey ?? null,
    request: { method, path, body: entry.requestBody ?? null },
    response: {
      status,
      code: code ?? null,
      headers: toHeaders(entry.responseHeaders),
      body: entry.responseBody ?? null,
    },
    explanation: [...entry.explanation],
    changes: entry.changes.map((change) => ({ ...change })),
  }
}

function toHeaders(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < flat.length; at += 2) {
    headers[(flat[at] ?? '').toLowerCase()] = flat[at + 1] ?? ''
  }
  return headers
}
