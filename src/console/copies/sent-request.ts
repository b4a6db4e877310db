import { type AddressId, addresses } from '../../service/addresses.js'
import { maskApiKey } from '../../service/api-key.js'
import type { JournalEntry } from '../control-types.js'
import type { Documents } from '../documents/documents.js'
import { toFailure } from '../session/failure.js'
import { type ServiceRequest, toCurl } from '../try/request.js'

/** Stands for a key of which the journal has only the beginning. */
const keyPlaceholder = 'YOUR_API_KEY'

/** Headers that a client or a browser adds to every request. */
const ownHeaders =
  /^(?:authorization|cookie|host|origin|referer|user-agent|connection|content-length|cache-control|pragma|dnt|priority|accept.*|sec-.*|sandbox-.*|x-forwarded-.*)$/

/**
 * Returns the request of an entry, as far as it can be sent again: without the headers that a client
 * adds to every request.
 *
 * @param baseUrl URL of the address that received it, without a trailing slash.
 * @param key Key to send; undefined for none.
 */
export function toSentRequest(
  { request }: JournalEntry,
  baseUrl: string,
  key: string | undefined,
): ServiceRequest {
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
 * Returns the key of a request; undefined for a request without a key. The journal masks long keys:
 * `keyPlaceholder` stands for a masked key that is not the key of the page.
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

/** Names the parts of a request that the journal has not as they were sent: `header x-trace`. */
export function listMissing({ request, incomplete }: JournalEntry): readonly string[] {
  const { query, headers } = request
  const masked = Object.keys(headers).filter((name) => headers[name]?.includes('…'))
  const parts = [
    ...incomplete.filter((part) => part !== 'responseBody'),
    ...(query?.includes('…') ? ['query'] : []),
    ...masked.map((name) => `requestHeaders.${name}`),
  ]
  const isOwn = (part: string) => ownHeaders.test(part.replace('requestHeaders.', ''))
  return Array.from(new Set(parts.filter((part) => !isOwn(part))), namePart)
}

/** Converts `requestBody` to `request body`, and `requestHeaders.x-trace` to `header x-trace`. */
export function namePart(part: string): string {
  const [, header] = part.split('requestHeaders.')
  if (header) return `header ${header}`
  return part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Returns the URL of an address of the sandbox. Default: the URL of the sandbox. */
export function findBaseUrl({ root }: Pick<Documents, 'root'>, id: AddressId | null): string {
  return id === null ? root : root + addresses[id].httpPath
}

/** A request of the journal, as far as it can be sent again. */
export interface SentRequest {
  readonly request: ServiceRequest
  /** Says in sentences what the journal does not have of it. */
  readonly gaps: readonly string[]
}

/** Returns the request of an entry with its key. The parameters are the same as above. */
export function readSent(entry: JournalEntry, baseUrl: string, pageKey: string): SentRequest {
  const key = findKey(entry, pageKey)
  const missing = listMissing(entry)
  return {
    request: toSentRequest(entry, baseUrl, key),
    gaps: [
      missing.length > 0 && `The journal does not have all of: ${missing.join(', ')}.`,
      key === keyPlaceholder && `The journal has only the beginning of the key, ${entry.apiKey}.`,
    ].filter((gap) => gap !== false),
  }
}

/** Returns the curl command for a request, after comments on what is missing. */
export function toCurlCopy({ request, gaps }: SentRequest): string {
  return [...toComments(gaps, '#'), toCurl(request)].join('\n')
}

/** Returns code that sends a request with `fetch`, after comments on what is missing. */
export function toFetchCopy({ request: { url, ...init }, gaps }: SentRequest): string {
  return [
    ...toComments(gaps, '//'),
    `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init, null, 2)})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

/** Returns comments on what the journal does not have of a request. */
export function toComments(gaps: readonly string[], mark: string): string[] {
  // A line break would end the comment.
  return gaps.map((line) => `${mark} ${line.replace(/[^ -~…]/g, '?')}`)
}

/** Returns why a page cannot send the request of an entry again; undefined if it can. */
export function explainUnsendable(
  entry: JournalEntry,
  request: ServiceRequest,
): string | undefined {
  const isCut = listMissing(entry).some((part) => !part.includes('header'))
  if (isCut) return 'It cannot be resent.'
  try {
    // Throws for what a browser does not send, such as TRACE, or a body with GET.
    const { url } = new Request(request.url, request)
    // The browser also encodes characters, such as quotes, which the sandbox decodes.
    const isSame = url === request.url || decodeURI(url) === decodeURI(request.url)
    return isSame ? undefined : 'The browser cannot resend it: it changes the path.'
  } catch (error) {
    return `The browser cannot resend it: ${toFailure(error).message}`
  }
}
