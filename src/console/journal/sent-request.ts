import { maskApiKey } from '../../service/api-key.js'
import type { JournalEntry } from '../control-types.js'

/** The request of a journal entry, as far as it can be sent again. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Without those that a client adds to every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Stands for a key of which the journal has only the beginning. */
export const keyPlaceholder = 'YOUR_API_KEY'

/** Headers that a client or a browser adds to every request. */
const ownHeaders =
  /^(?:authorization|cookie|host|origin|referer|user-agent|connection|content-length|cache-control|pragma|dnt|priority|accept.*|sec-.*|sandbox-.*|x-forwarded-.*)$/

/**
 * Returns the request of an entry.
 *
 * @param baseUrl URL of the address that received it, without a trailing slash.
 * @param key Key to send; undefined for none.
 */
export function toSentRequest(
  { request }: JournalEntry,
  baseUrl: string,
  key: string | undefined,
): SentRequest {
  const { method, path, query, headers, body } = request
  const sent = Object.entries(headers).filter(
    ([name, value]) => !ownHeaders.test(name) && !value.includes('…'),
  )
  return {
    method,
    url: `${baseUrl}${path}${query === null ? '' : `?${query}`}`,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...Object.fromEntries(sent) },
    ...(body !== null && { body }),
  }
}

/**
 * Returns the key of a request; undefined for none, and `keyPlaceholder` if it is neither that of the
 * page nor short enough for the journal to have all of it.
 *
 * @param pageKey Key of the page, unmasked.
 */
export function findKey({ apiKey }: JournalEntry, pageKey: string): string | undefined {
  if (apiKey === null) return undefined
  if (apiKey === maskApiKey(pageKey)) return pageKey
  const start = apiKey.slice(0, -1)
  const isWhole = start.startsWith('sbx_') && start.length < maskedLength
  return isWhole ? start : keyPlaceholder
}

/** Number of characters that the journal has of a longer key. */
const maskedLength = 12

/** Describes the parts of a request that the journal does not have, one phrase each. */
export function listMissing({ request, incomplete }: JournalEntry): readonly string[] {
  const { query, headers } = request
  const names = [
    ...incomplete.flatMap((part) => /^requestHeaders\.(.+)$/.exec(part)?.slice(1) ?? []),
    ...Object.keys(headers).filter((name) => headers[name]?.includes('…')),
  ].filter((name) => !ownHeaders.test(name))
  return [
    ...(incomplete.includes('path') ? ['the whole path'] : []),
    ...(incomplete.includes('query') || query?.includes('…') ? ['the whole query'] : []),
    ...(incomplete.includes('requestHeaders') ? ['all headers'] : []),
    ...Array.from(new Set(names), (name) => `the whole header ${name}`),
    ...(incomplete.includes('requestBody') ? ['the whole body'] : []),
  ]
}
