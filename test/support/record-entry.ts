import type { RecordedEntry } from '../../src/world/journal/entry.js'
import type { Journal } from '../../src/world/journal/journal.js'

/** An entry of a request for the inventory, without its id. */
export const entry: Omit<RecordedEntry, 'id'> = {
  requestId: '1xzwr05-1',
  atMs: 0,
  durationMs: 1,
  environment: 'production',
  address: 'api',
  method: 'GET',
  path: '/inventory',
  query: '',
  isUserHandled: false,
  operation: 'listInventory',
  nearestOperation: undefined,
  apiKey: 'sbx_free…',
  requestHeaders: [],
  requestBody: undefined,
  status: 200,
  aborted: false,
  code: undefined,
  responseHeaders: [],
  responseBody: '[]',
  explanation: [],
  changes: [],
}

/** Adds an entry with the next id to a journal. */
export function recordEntry(journal: Journal, entry: Omit<RecordedEntry, 'id'>): void {
  journal.lastId += 1
  journal.add({ ...entry, id: journal.lastId })
}
