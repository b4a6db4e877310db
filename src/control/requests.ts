import * as z from 'zod/mini'
import { type AddressId, addresses, environments } from '../service/addresses.js'
import { annotate } from '../service/annotate.js'
import { operationIds } from '../service/operations/operations.js'
import { timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import {
  isUnmatched,
  type PendingRequest,
  type RecordedEntry,
  readHeaders,
} from '../world/journal/entry.js'
import type { EventStream } from './event-feed.js'
import { type ControlledSandbox, defineControl, defineResource } from './operation.js'
import { hasText } from './request-text.js'
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

/** Maximum length of a text to search for. */
const maximumText = 200

const statusSchema = z
  .string()
  .check(
    z.regex(/^(?:\d{1,3}|[1-5]xx)$/, { error: 'a status such as 429, or a class such as 4xx' }),
  )

const textSchema = z
  .string()
  .check(
    z.minLength(1, { error: 'a text of at least 1 character' }),
    z.maxLength(maximumText, { error: `a text of at most ${maximumText} characters` }),
  )

const idSchema = createNumberSchema(
  /^\d{1,15}$/,
  'the id of an entry, a number from 0 to 999999999999999',
)

/** Creates the schema of a query parameter that is a number. */
function createNumberSchema(pattern: RegExp, error: string) {
  return z.pipe(z.string().check(z.regex(pattern, { error })), z.transform(Number))
}

const querySchema = z.strictObject({
  operation: annotate(
    z.optional(z.enum(operationIds)),
    'Only requests of this operation, such as getPet.',
  ),
  status: annotate(
    z.optional(statusSchema),
    'Only responses with this status, such as 429, or of this class, such as 4xx.',
  ),
  text: annotate(
    z.optional(textSchema),
    'Only requests that contain this text, regardless of case: in the method, path, query, headers, bodies, code or explanation.',
  ),
  since: annotate(
    z.optional(timestampSchema),
    'Only responses at or after this time of the world.',
  ),
  until: annotate(
    z.optional(timestampSchema),
    'Only responses at or before this time of the world.',
  ),
  before: annotate(
    z.optional(idSchema),
    'Only entries with a smaller id: to read the next page, the last id of this one.',
  ),
  after: annotate(
    z.optional(idSchema),
    'Only entries with a larger id: those that are newer than a known one.',
  ),
  unmatched: annotate(
    z.optional(z.enum(['true', 'false'])),
    'true: only requests that matched no operation and no user handler.',
  ),
  limit: annotate(
    z.optional(createNumberSchema(/^[1-9]\d{0,4}$/, 'a number from 1 to 99999')),
    'Maximum number of entries. Default: 100.',
  ),
})

const journalQuerySchema = z.strictObject({
  limit: annotate(
    z.optional(createNumberSchema(/^\d{1,5}$/, 'a number from 0 to 99999')),
    'Maximum number of entries. Default: all.',
  ),
})

const pendingSchema = z.strictObject({
  receivedAt: annotate(timestampSchema, 'Time when its processing began.'),
  address: annotate(z.enum(addressIds), 'Base address that received the request.'),
  method: z.string(),
  path: annotate(z.string(), 'Path below the base address, as sent.'),
  operation: annotate(z.nullable(z.string()), 'Id of the operation; null if none matched.'),
  apiKey: annotate(z.nullable(z.string()), 'Key of the request, masked.'),
})

const journalSchema = z.strictObject({
  capacity: annotate(z.int(), 'Maximum number of retained entries.'),
  retained: annotate(z.int(), 'Number of retained entries.'),
  newestId: annotate(z.int(), 'Id of the latest entry; 0 for none.'),
  dropped: annotate(
    z.int(),
    'Number of entries since the journal was cleared that are no longer retained.',
  ),
  codes: annotate(
    z.array(z.string()),
    'Codes of recorded Error bodies and of faults of the world.',
  ),
  pending: annotate(z.array(pendingSchema), 'Requests without a response yet, oldest first.'),
  // The entries are not validated.
  requests: z.custom<ShownRequest[]>(),
})

const documentedJournalSchema = z.extend(journalSchema, {
  requests: annotate(z.array(requestSchema), 'The retained entries, newest first.'),
})

const entryExample = {
  id: 1,
  requestId: '1xzwr05-1',
  at: '2026-01-01T09:00:00.000Z',
  durationMs: 0.412,
  environment: 'production',
  address: 'api',
  operation: 'updateInventory',
  userHandled: false,
  nearestOperation: null,
  apiKey: 'sbx_free…',
  request: {
    method: 'PATCH',
    path: '/inventory/7',
    query: null,
    headers: { authorization: 'Bearer sbx_free…', 'content-type': 'application/json' },
    body: '{"quantity":25}',
  },
  response: {
    status: 200,
    aborted: false,
    code: null,
    headers: {
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': '1767258060',
      'x-request-id': '1xzwr05-1',
    },
    body: '{"petId":7,"quantity":25,"status":"available"}',
  },
  explanation: [
    'key sbx_free… is on plan Free, world production/default',
    'minute window: 1st of 60, resets 2026-01-01T09:01:00Z',
    'updateInventory responds with 200',
  ],
  incomplete: [],
  changes: [{ type: 'quantity.set', petId: '7', from: 40, to: 25 }],
}

export const requests = defineResource({
  title: 'Requests',
  description:
    'The journal: the requests that reached the world, with an explanation of each response.',
  operations: {
    listRequests: defineControl({
      method: 'GET',
      path: '/requests',
      summary: 'List the requests that reached the world, newest first',
      description:
        'Lists the requests that reached the world, newest first, each with its response, the explanation and the changes it made. Control requests are not recorded. Query parameters filter the list; an entry must match all of them. A sandbox with a key secret shows the requests of a shared world without queries, headers and bodies.',
      query: querySchema,
      response: {
        description: 'One entry per request.',
        body: { schema: z.array(requestSchema), example: [entryExample] },
      },
      errorMessages: {
        invalid_parameter:
          'status must be a status such as 429, or a class such as 4xx, found "teapot" (string)',
      },
      run({ world, query, sandbox }) {
        const show = toShownRequest(sandbox, world)
        const isWanted = toCondition(query, show)
        const oldestFirst = world.journal.read().entries
        const newest: RecordedEntry[] = []
        for (let at = oldestFirst.length - 1; at >= 0; at--) {
          if (newest.length === (query.limit ?? 100)) break
          const entry = oldestFirst[at]
          if (entry && isWanted(entry)) newest.push(entry)
        }
        return newest.map(show)
      },
    }),
    getJournal: defineControl({
      method: 'GET',
      path: '/journal',
      summary: 'Show the journal with the pending requests',
      description:
        'Shows at one time the retained entries, the number of entries that are no longer retained, and the requests that have no response yet.',
      query: journalQuerySchema,
      response: {
        description: 'The journal.',
        body: {
          schema: journalSchema,
          documentedSchema: documentedJournalSchema,
          example: {
            capacity: 500,
            retained: 1,
            newestId: 1,
            dropped: 0,
            codes: [],
            pending: [],
            requests: [entryExample],
          },
        },
      },
      run({ world, query, sandbox }) {
        const { capacity, entries, dropped, pending } = world.journal.read()
        return {
          capacity,
          retained: entries.length,
          newestId: world.journal.newestId,
          dropped,
          codes: [...world.requests.codes()],
          pending: pending.map(toShownPending),
          requests: entries.toReversed().slice(0, query.limit).map(toShownRequest(sandbox, world)),
        }
      },
    }),
    clearRequests: defineControl({
      method: 'DELETE',
      path: '/requests',
      summary: 'Clear the journal',
      description:
        'Clears the journal. Sequence numbers continue; data, clock and quota stay unchanged.',
      response: {
        description: 'The number of removed entries.',
        body: {
          schema: z.strictObject({ removed: annotate(z.int(), 'Number of removed entries.') }),
          example: { removed: 0 },
        },
      },
      run({ world }) {
        const removed = world.journal.size
        world.journal.clear()
        return { removed }
      },
    }),
    streamEvents: defineControl<undefined, undefined, EventStream>({
      method: 'GET',
      path: '/events',
      summary: 'Stream the requests that reach the world as server-sent events',
      description:
        'Sends an event `request` for each response, with an entry of listRequests in `data` and its id in `id`, until the client disconnects. When the world restarts or is evicted, the stream ends with an event `end`, whose `data` is `{"reason":"restarted","generation":…}` with the new generation, or `{"reason":"evicted","generation":null}`. A client that is more than 1 MiB behind is disconnected. Lines that begin with a colon are comments. The `EventSource` of browsers cannot send the key; read the stream with `fetch`.',
      response: {
        description: 'A stream of server-sent events.',
        mediaType: 'text/event-stream',
        body: {
          schema: z.custom<EventStream>(),
          documentedSchema: annotate(z.string(), 'Server-sent events (HTML standard).'),
          example: `: the requests that reach this world\n\nid: 1\nevent: request\ndata: ${JSON.stringify(entryExample)}\n\n`,
        },
      },
      run:
        ({ world, sandbox }) =>
        (sink) =>
          world.events.open(sink, toShownRequest(sandbox, world)),
    }),
  },
})

type ListQuery = z.output<typeof querySchema>

/** Returns the condition on the entries that `listRequests` lists. */
function toCondition(
  query: ListQuery,
  show: (entry: RecordedEntry) => ShownRequest,
): (entry: RecordedEntry) => boolean {
  const { operation, status, unmatched, before = Infinity, after = 0 } = query
  const sinceMs = query.since === undefined ? -Infinity : Date.parse(query.since)
  const untilMs = query.until === undefined ? Infinity : Date.parse(query.until)
  const text = query.text?.toLowerCase()
  return (entry) =>
    entry.id < before &&
    entry.id > after &&
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || hasStatus(entry, status)) &&
    (unmatched === undefined || isUnmatched(entry) === (unmatched === 'true')) &&
    entry.atMs >= sinceMs &&
    entry.atMs <= untilMs &&
    // What the response does not show must not affect which entries it has.
    (text === undefined || hasText(show(entry), text))
}

/** @param wanted A status such as `429`, or a class such as `4xx`. */
function hasStatus({ status }: RecordedEntry, wanted: string): boolean {
  const [first] = wanted
  return wanted.endsWith('xx')
    ? Math.floor(status / 100) === Number(first)
    : status === Number(wanted)
}

function toShownPending({ receivedAtMs, operation, apiKey, ...request }: PendingRequest) {
  return {
    receivedAt: toTimestamp(receivedAtMs),
    address: request.address,
    method: request.method,
    path: request.path,
    operation: operation ?? null,
    apiKey: apiKey ?? null,
  }
}

type ShownRequest = z.output<typeof requestSchema>

/** Returns the function that converts the journal entries of a world for control responses. */
function toShownRequest(
  { access }: ControlledSandbox,
  world: World,
): (entry: RecordedEntry) => ShownRequest {
  return access.hidesDetails(world) ? (entry) => withoutDetails(toRequest(entry)) : toRequest
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
  const { id, durationMs, environment, operation, apiKey, method, path, status, code } = entry
  return {
    id,
    requestId: entry.requestId,
    at: toTimestamp(entry.atMs),
    durationMs,
    environment,
    address: entry.address ?? null,
    operation: operation ?? null,
    userHandled: entry.isUserHandled,
    nearestOperation: entry.nearestOperation ?? null,
    apiKey: apiKey ?? null,
    request: {
      method,
      path,
      query: entry.query || null,
      headers: readHeaders(entry.requestHeaders),
      body: entry.requestBody ?? null,
    },
    response: {
      status,
      aborted: entry.aborted,
      code: code ?? null,
      headers: readHeaders(entry.responseHeaders),
      body: entry.responseBody ?? null,
    },
    explanation: [...entry.explanation],
    incomplete: [...(entry.incomplete ?? [])],
    changes: entry.changes.map((change) => ({ ...change })),
  }
}
