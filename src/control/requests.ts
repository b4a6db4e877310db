import { z } from 'zod'
import { environments } from '../contract/addresses.js'
import { operationIds } from '../contract/operations.js'
import { timestampSchema } from '../contract/schemas.js'
import { toHeaderRecord } from '../world/journal/filter.js'
import type { JournalEntry } from '../world/journal/journal.js'
import { findEntries } from '../world/journal/requests.js'
import { defineControl } from './control-operation.js'
import { toTimestamp } from './timestamp.js'

/** A call as the control API shows it. */
export const requestSchema = z.strictObject({
  id: z.int().describe('Counts up from 1 in each world.'),
  at: timestampSchema.describe('When the call came, on the clock of the world.'),
  durationMs: z.number().describe('Real milliseconds until it was answered.'),
  environment: z.enum(environments).describe('The deployment that was called.'),
  operation: z.string().nullable().describe('The operation; null when none matched.'),
  nearestOperation: z
    .string()
    .nullable()
    .describe('The operation that was probably meant, only where none matched.'),
  apiKey: z.string().nullable().describe('The key that was sent, masked; null for none.'),
  request: z
    .strictObject({
      method: z.string(),
      path: z.string().describe('Below the base address, as it was sent.'),
      query: z.string().nullable().describe('After the ?, keys masked; null for none.'),
      headers: z
        .record(z.string(), z.string())
        .describe('By lower-case name, at most 50; keys and cookies are masked.'),
      body: z.string().nullable().describe('As text, shortened past 4 KiB; null for none.'),
    })
    .describe('What was sent.'),
  response: z
    .strictObject({
      status: z.int().describe('0 when a fault broke the connection.'),
      code: z.string().nullable().describe('The code of an Error body.'),
      headers: z.record(z.string(), z.string()).describe('By lower-case name.'),
      body: z.string().nullable().describe('As text, shortened past 4 KiB; null for none.'),
    })
    .describe('What was answered.'),
  explanation: z
    .array(z.string())
    .describe('What each step on the way of the call decided, in order.'),
  changes: z
    .array(z.looseObject({ type: z.string().describe('What was written, such as quantity.set.') }))
    .describe('What the call changed in the world.'),
})

const querySchema = z.strictObject({
  operation: z
    .enum(operationIds)
    .optional()
    .describe('Only calls of this operation, such as getPet.'),
  status: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'a status such as 429' })
    .transform(Number)
    .optional()
    .describe('Only answers with this status, such as 429.'),
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
    const found = findEntries(world.journal, {
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
  response: z.strictObject({ removed: z.int().describe('How many calls were forgotten.') }),
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
    nearestOperation: entry.nearestOperation ?? null,
    apiKey: apiKey ?? null,
    request: {
      method,
      path,
      query: entry.query || null,
      headers: toHeaderRecord(entry.requestHeaders),
      body: entry.requestBody ?? null,
    },
    response: {
      status,
      code: code ?? null,
      headers: toHeaderRecord(entry.responseHeaders),
      body: entry.responseBody ?? null,
    },
    explanation: [...entry.explanation],
    changes: entry.changes.map((change) => ({ ...change })),
  }
}
