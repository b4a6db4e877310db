import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { pageSize } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import { describeValue } from '../service/validation/validate.js'
import type { ControlOperation, ControlRequest } from './operation.js'

/** Creates the schema of a query parameter that is a number. */
export function createNumberSchema(pattern: RegExp, error: string) {
  return z.pipe(z.string().check(z.regex(pattern, { error })), z.transform(Number))
}

/** Schema of `limit`. */
export const limitSchema = createNumberSchema(/^[1-9]\d{0,4}$/, 'a number from 1 to 99999')

const pageQuerySchema = z.strictObject({
  limit: annotate(
    z.optional(limitSchema),
    `Maximum number of entries. Default: ${pageSize.toLocaleString('en')}.`,
  ),
  after: annotate(
    z.optional(z.string()),
    'Only entries after this id or name. To read the next page, pass the id or name of the last entry.',
  ),
})

/** The query of a list in pages. */
export type PageQuery = z.output<typeof pageQuerySchema>

/** The specific parts of an operation that lists records. */
interface ListOperation<T extends object>
  extends Omit<ControlOperation<PageQuery, undefined, T[]>, 'method' | 'query' | 'run'> {
  readonly idField: keyof T & string
  /** Returns all records, in the order of the list. */
  readonly records: (request: ControlRequest) => readonly T[]
}

/** Defines an operation that lists records in pages. */
export function defineList<T extends object>({
  records,
  ...operation
}: ListOperation<T>): ControlOperation<PageQuery, undefined, T[]> {
  return {
    ...operation,
    method: 'GET',
    query: pageQuerySchema,
    errorMessages: {
      invalid_parameter: 'limit must be a number from 1 to 99999, found "0" (string)',
      ...operation.errorMessages,
    },
    run: (request) => toPage(records(request), request.query, operation.idField),
  }
}

/** @throws {Problem} invalid_parameter if no record has the id `after`. */
function toPage<T extends object>(
  records: readonly T[],
  { limit = pageSize, after }: PageQuery,
  idField: keyof T & string,
): T[] {
  if (after === undefined) return records.slice(0, limit)
  const at = records.findIndex((record) => String(record[idField]) === after)
  if (at >= 0) return records.slice(at + 1, at + 1 + limit)
  const wanted = `the ${idField} of an entry of the list`
  throw new Problem('invalid_parameter', `after must be ${wanted}, found ${describeValue(after)}`)
}
