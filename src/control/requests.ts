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
        body: { schema: z.array(requestSchema) },
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
        'Sends an event `request` for each response, with an entry of listRequests in `data` and its id in `id`, until the client disconnects. When the world restarts or is evicted, the stream ends with an event `end`, whose `data` is `{"reason":"restarted","generation":…}` with the new generation, or `{"reason":"evicted","generation":null}`. After the key has expired, the stream ends instead of sending an event. A client that is more than 1 MiB behind is disconnected. Lines that begin with a colon are comments. The `EventSource` of browsers cannot send the key; read the stream with `fetch`.',
      response: {
        description: 'A stream of server-sent events.',
        mediaType: 'text/event-stream',
        body: {
          schema: z.custom<EventStream>(),
          documentedSchema: annotate(z.string(), 'Server-sent events (HTML standard).'),
        },
      },
      run:
        ({ world, sandbox }) =>
        (sink) =>
          world.events.open(sink, toShownRequest(sandbox, world)),
    }),
  },
} satisfies ControlResource
