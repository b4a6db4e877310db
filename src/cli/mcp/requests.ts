import { takeWhile } from 'es-toolkit/array'
import { omit, omitBy, pick } from 'es-toolkit/object'
import * as z from 'zod/mini'
import type { ControlInput } from '../../control/client/client.js'
import type { ShownEntry } from '../../control/client/events.js'
import { requestQuerySchema } from '../../control/request-filter.js'
import { annotate } from '../../service/annotate.js'
import { toCount, truncate } from '../../service/validation/message.js'
import { isObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { UsageError } from '../../verify/usage-error.js'
import { recordedNote } from './recorded.js'
import { defineTool } from './tool.js'

const defaultLimit = 20

/** Maximum number of entries, so that the result is short. */
const maximumLimit = 100

/** Maximum length of a body, in characters. */
const maximumBody = 1_000

/** Maximum size of all entries, as characters of JSON. */
const maximumSize = 40_000

const { limit, ...filters } = requestQuerySchema.shape

/** Headers that each response has, with the same value. */
const constantHeaders = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'x-content-type-options',
]

/** Lists journal entries. What clients sent is in a block of its own. */
export const requests = defineTool('listRequests', {
  description:
    'Lists the requests that reached the world, newest first, each with its response and the explanation of every decision.',
  shape: {
    ...filters,
    limit: annotate(
      limit,
      `Maximum number of entries, up to ${maximumLimit}. Default: ${defaultLimit}.`,
    ),
    details: annotate(z.optional(z.boolean()), 'Adds headers and response bodies.'),
  },
  hidden: ['since', 'until'],
  async run({ client, baseUrl }, { details, ...args }) {
    const { limit: wanted = defaultLimit } = args
    for (const [name, value] of Object.entries(args)) {
      if (isObject(value))
        throw new UsageError(
          `${name} must be a string, a number or a boolean, found ${describeValue(value)}`,
        )
    }
    const count = Math.min(Number(wanted), maximumLimit)
    // One more shows whether entries are left out. The sandbox rejects an invalid limit.
    const query = {
      ...args,
      limit: count > 0 ? count + 1 : wanted,
    } as ControlInput<'listRequests'>['query'] // the sandbox validates it
    const [found, { counts }] = await Promise.all([
      client.send('listRequests', { query }),
      client.send('getOverview'),
    ])
    const entries = found.slice(0, count).map((entry) => toShown(entry, details === true))
    const shown = takeFirst(entries, maximumSize)
    const hasMore = found.length > shown.length
    const before = shown.at(-1)?.id
    const rest = hasMore ? ` Older ones match too: pass before: ${before}.` : ''
    const summary = `${toCount(shown.length, 'requests')} of ${counts.requests} in the journal.${rest}`
    return {
      text: summary,
      recorded: shown,
      next:
        counts.requests === 0
          ? `Let your client send requests to ${baseUrl} with the key of this world.`
          : 'Call report to see which rules the client breaks.',
      data: { note: recordedNote, inJournal: counts.requests, hasMore, requests: shown },
    }
  },
})

/** Returns the first entries, at least one, whose JSON has at most so many characters. */
function takeFirst<Entry>(entries: readonly Entry[], maximum: number): readonly Entry[] {
  let size = 0
  return takeWhile(entries, (entry) => {
    const isFirst = size === 0
    size += JSON.stringify(entry).length
    return isFirst || size <= maximum
  })
}

/** Returns what an agent needs of an entry, without the fields that are null. */
function toShown(entry: ShownEntry, isDetailed: boolean) {
  const { request, response, explanation, changes } = entry
  const { method, path, query } = request
  const shown = {
    ...pick(entry, ['id', 'at', 'operation', 'nearestOperation', 'apiKey']),
    request: `${method} ${path}${query === null ? '' : `?${query}`}`,
    body: request.body && truncate(request.body, maximumBody),
    ...pick(response, ['status', 'code', 'aborted']),
    explanation,
    changes,
    ...(isDetailed && {
      requestHeaders: request.headers,
      responseHeaders: omit(response.headers, constantHeaders),
      responseBody: response.body && truncate(response.body, maximumBody),
    }),
  }
  return omitBy(shown, (value) => value === null)
}
