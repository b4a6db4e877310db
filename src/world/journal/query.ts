import { type OperationId, operationIds } from '../../operations/operations.js'
import { refuseUnknownFields } from '../../validation/known-fields.js'
import { suggestName } from '../../validation/nearest-name.js'
import { describeMatcher, isAsymmetricMatcher } from './asymmetric-matcher.js'
import { filterFields, type RequestFilter } from './filter.js'

/** The calls that a test asks for: an operation, or a filter. */
export type RequestQuery = OperationId | (RequestFilter & { readonly operation?: OperationId })

/**
 * The filter of a query.
 *
 * @throws {TypeError} When its operation is none, or a field; without this it would wait for nothing.
 */
export function toRequestFilter(query: RequestQuery): RequestFilter {
  const filter: RequestFilter = typeof query === 'string' ? { operation: query } : query
  refuseUnknownFields(filter, filterFields, 'the filter')
  const { operation } = filter
  const ids: readonly string[] = operationIds
  if (operation === undefined || ids.includes(operation)) return filter
  const hint = suggestName(operation, ids)
  throw new TypeError(`the operation must be one of the service, found "${operation}"${hint}`)
}

/** A filter as a message names it: `updateInventory with status 200 and body {"quantity":5}`. */
export function describeFilter(filter: RequestFilter): string {
  const { operation, unmatched, method, path, status, code, sinceMs, body, headers, query } = filter
  const what = operation ?? (unmatched ? 'a call of no operation' : 'a call')
  const wanted = [
    method !== undefined && `method ${method}`,
    path !== undefined && `path ${path}`,
    status !== undefined && `status ${status}`,
    code !== undefined && `code ${code}`,
    sinceMs !== undefined && `a time from ${new Date(sinceMs).toISOString()} on`,
    query !== undefined && `query ${describeWanted(query)}`,
    headers !== undefined && `headers ${describeWanted(headers)}`,
    body !== undefined && `body ${describeWanted(body)}`,
  ].filter((part) => part !== false)
  return wanted.length === 0 ? what : `${what} with ${wanted.join(' and ')}`
}

/** JSON in which an asymmetric matcher shows its name in place of its fields. */
function describeWanted(wanted: unknown): string {
  return JSON.stringify(wanted, (_, value: unknown) =>
    isAsymmetricMatcher(value) ? describeMatcher(value) : value,
  )
}
