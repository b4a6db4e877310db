import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { operationIds } from '../service/operations/operations.js'
import { timestampSchema } from '../service/schemas.js'
import { isUnmatched, type RecordedEntry } from '../world/journal/entry.js'
import { createNumberSchema, limitSchema } from './page.js'
import { hasText } from './request-text.js'
import type { ShownRequest } from './shown-request.js'

/** Maximum length of a text to search for. */
const maximumText = 200

const statusSchema = z
  .string()
  .check(z.regex(/^(?:\d{1,3}|[1-5]xx)$/, 'a status such as 429, or a class such as 4xx'))

const textSchema = z
  .string()
  .check(
    z.minLength(1, 'a text of at least 1 character'),
    z.maxLength(maximumText, `a text of at most ${maximumText} characters`),
  )

const idSchema = createNumberSchema(
  /^\d{1,15}$/,
  'the id of an entry, a number from 0 to 999999999999999',
)

/** The query of `listRequests`. */
export const requestQuerySchema = z.strictObject({
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
    'Only entries with a smaller id. To read the next page, pass the last id of this page.',
  ),
  after: annotate(
    z.optional(idSchema),
    'Only entries with a larger id, which are newer than a known entry.',
  ),
  unmatched: annotate(
    z.optional(z.enum(['true', 'false'])),
    'true: only requests that matched no operation and no user handler.',
  ),
  limit: annotate(z.optional(limitSchema), 'Maximum number of entries. Default: 100.'),
})

/** Returns the condition on the entries that `listRequests` lists. */
export function toCondition(
  query: z.output<typeof requestQuerySchema>,
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
  return status === Number(wanted) || `${Math.floor(status / 100)}xx` === wanted
}
