import type { AddressId } from '../../service/addresses.js'
import { addresses } from '../../service/addresses.js'
import type { JournalEntry } from '../control-types.js'
import type { Documents } from '../documents/documents.js'
import { toCurl } from '../try/request.js'
import {
  findKey,
  keyPlaceholder,
  listMissing,
  type SentRequest,
  toSentRequest,
} from './sent-request.js'

/** Returns the URL of an address of the sandbox; that of the sandbox for none. */
export function findBaseUrl({ service, root }: Documents, id: AddressId | null): string {
  if (id === null) return root
  const { httpPath } = addresses[id]
  const bases = service.operations.flatMap((operation) => operation.bases)
  return bases.find(({ path }) => path === httpPath)?.url ?? root + httpPath
}

/** Returns the request of an entry to the sandbox of the page. */
export function toPageRequest(
  entry: JournalEntry,
  documents: Documents,
  apiKey: string,
): SentRequest {
  return toSentRequest(entry, findBaseUrl(documents, entry.address), findKey(entry, apiKey))
}

/** Returns the curl command for a request, after comments on what the journal does not have. */
export function toCurlCopy(entry: JournalEntry, request: SentRequest): string {
  return [...toComments(entry, request, '#'), toCurl(request)].join('\n')
}

/** Returns code that sends a request with `fetch`, after comments on what is missing. */
export function toFetchCopy(entry: JournalEntry, request: SentRequest): string {
  const { url, method, headers, body } = request
  const canHaveBody = method !== 'GET' && method !== 'HEAD'
  const init = {
    method,
    headers,
    ...(body !== undefined && canHaveBody && { body }),
  }
  return [
    ...toComments(entry, request, '//'),
    ...(body === undefined || canHaveBody ? [] : [`// fetch cannot send a body with ${method}.`]),
    `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init, null, 2)})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

function toComments(entry: JournalEntry, { headers }: SentRequest, mark: string): string[] {
  const missing = listMissing(entry)
  const lines = missing.length > 0 ? [`The journal does not have ${missing.join(', ')}.`] : []
  if (headers.authorization?.endsWith(` ${keyPlaceholder}`)) {
    lines.push(`The journal has only the beginning of the key, ${entry.apiKey}.`)
  }
  // A line break would end the comment.
  return lines.map((line) => `${mark} ${line.replaceAll(/[^ -~…]/g, '?')}`)
}
