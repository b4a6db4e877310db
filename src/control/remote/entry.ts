import type { Change } from '../../service/operations/operation.js'
import type { OperationId } from '../../service/operations/operations.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import type { ControlResult } from '../operations.js'

/** Entries that one request can return. */
export const maximumEntries = 99_999

/** Converts a journal entry of the control API to an entry of a journal. */
export function readEntry(shown: ControlResult<'listRequests'>[number]): RecordedEntry {
  const { request, response, at, userHandled, address, operation, nearestOperation } = shown
  const { id, requestId, durationMs, environment, apiKey, explanation, changes } = shown
  return {
    id,
    requestId,
    atMs: Date.parse(at),
    durationMs,
    environment,
    address: address ?? undefined,
    method: request.method,
    path: request.path,
    query: request.query ?? '',
    operation: operation ?? undefined,
    isUserHandled: userHandled,
    // The definition states ids of operations as strings.
    nearestOperation: (nearestOperation ?? undefined) as OperationId | undefined,
    apiKey: apiKey ?? undefined,
    requestHeaders: Object.entries(request.headers).flat(),
    requestBody: request.body ?? undefined,
    status: response.status,
    aborted: response.aborted,
    code: response.code ?? undefined,
    responseHeaders: Object.entries(response.headers).flat(),
    responseBody: response.body ?? undefined,
    explanation,
    incomplete: shown.incomplete.length > 0 ? shown.incomplete : undefined,
    changes: changes as readonly object[] as readonly Change[], // the definition states only the type
  }
}
