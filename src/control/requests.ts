import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import type { EventStream } from './event-feed.js'
import { type ControlResource, defineControl } from './operation.js'
import { createNumberSchema } from './page.js'
import { requestQuerySchema, toCondition } from './request-filter.js'
import { pendingSchema, requestSchema, toShownPending, toShownRequest } from './shown-request.js'

const journalQuerySchema = z.strictObject({
  limit: annotate(
    z.optional(createNumberSchema(/^\d{1,5}$/, 'a number from 0 to 99999')),
    'Maximum number of entries. Default: all.',
  ),
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

export const requests = {
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
      query: requestQuerySchema,
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
        const oldestFirst = world.requests.read().entries.filter(toCondition(query, show))
        return oldestFirst
          .slice(-(query.limit ?? 100))
          .reverse()
          .map(show)
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
        body: { schema: journalSchema },
      },
      run({ world, query, sandbox }) {
        const { capacity, entries, dropped, codes, pending } = world.requests.read()
        return {
          capacity,
          retained: entries.length,
          newestId: world.journal.newestId,
          dropped,
          codes: [...codes],
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
} satisfies ControlResource
