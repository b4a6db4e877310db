import type { JournalEntry } from '../control-types.js'
import type { Documents } from '../documents/documents.js'
import { findBaseUrl, toSentRequest } from './sent-request.js'

/**
 * Converts entries to the JSON of an HTTP Archive 1.2. The times are on the clock of the world. Keys
 * are masked, as in the journal.
 *
 * @param entries Newest first.
 * @param version Version of the sandbox.
 */
export function toHar(
  entries: readonly JournalEntry[],
  documents: Documents,
  version: string,
): string {
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'petstore-sandbox', version },
      pages: [],
      entries: entries.toReversed().map((entry) => toHarEntry(entry, documents)),
    },
  })
}

function toHarEntry(entry: JournalEntry, documents: Documents) {
  const { id, operation, explanation, incomplete, apiKey, environment, durationMs } = entry
  return {
    startedDateTime: new Date(Date.parse(entry.at) - durationMs).toISOString(),
    time: durationMs,
    request: toHarRequest(entry, documents),
    response: toHarResponse(entry),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    ...(incomplete.length > 0 && { comment: `Truncated or missing: ${incomplete.join(', ')}` }),
    _sandbox: { id, environment, operation, apiKey, explanation },
  }
}

function toHarRequest(entry: JournalEntry, documents: Documents) {
  const { method, query, headers, body } = entry.request
  return {
    method,
    url: toSentRequest(entry, findBaseUrl(documents, entry.address), undefined).url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    queryString: toPairs(new URLSearchParams(query ?? '')),
    ...(body !== null && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
    headersSize: -1,
    bodySize: toBodySize(entry, 'requestBody', body),
  }
}

function toHarResponse(entry: JournalEntry) {
  const { status, headers, body } = entry.response
  const size = toBodySize(entry, 'responseBody', body)
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(Object.entries(headers)),
    content: {
      size: Math.max(0, size),
      mimeType: headers['content-type'] ?? 'x-unknown',
      ...(body !== null && { text: body }),
    },
    redirectURL: headers.location ?? '',
    headersSize: -1,
    bodySize: size,
  }
}

/** Returns the size of a body in bytes; -1 if the journal does not have all of it. */
function toBodySize({ incomplete }: JournalEntry, part: string, body: string | null): number {
  if (incomplete.includes(part)) return -1
  return body === null ? 0 : new TextEncoder().encode(body).length
}

function toPairs(pairs: Iterable<readonly [string, string]>) {
  return Array.from(pairs, ([name, value]) => ({ name, value }))
}
