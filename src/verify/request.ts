import { Incomplete } from './usage-error.js'

/** Base URLs without a trailing slash: {base_url}, {staging_base_url}, {quickstart_base_url}. */
export interface CheckUrls {
  readonly api: string
  readonly staging?: string | undefined
  readonly quickstart?: string | undefined
}

/** A request of a check. It never contains the key. */
export interface CheckRequest {
  /** Default: api. */
  readonly address?: keyof CheckUrls
  /** Default: GET. */
  readonly method?: string
  /** Path below the address, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Default: own. */
  readonly credential?: Credential
}

/** A key that no service knows. Its purpose is visible in the logs of the service. */
export const unknownKey = 'petstore-sandbox-verify-no-such-key'

/** How a request authenticates: the Authorization header; undefined for none. */
const authorizations = {
  own: (key: string) => `Bearer ${key}`,
  unknown: () => `Bearer ${unknownKey}`,
  'without-scheme': (key: string) => key,
  'other-scheme': (key: string) => `Basic ${key}`,
  missing: () => undefined,
} as const

export type Credential = keyof typeof authorizations

/** A request in the form in which it is sent. */
export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A complete response. */
export interface ReceivedResponse {
  readonly status: number
  /** Names are in lower case. Repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** Whether the body contained an API key, which was masked. Default: false. */
  readonly isMasked?: boolean
}

/** A request and its response. */
export interface Exchange extends ReceivedResponse {
  readonly request: CheckRequest
  /** The body; undefined if it is not JSON. Integers beyond ±(2^53−1) are bigints. */
  readonly json: unknown
  /** Seconds from the start of the request to the end of the response. */
  readonly elapsedSeconds: number
}

/**
 * Sends a request without following redirects.
 *
 * @throws {RequestFailure} If there is no complete response.
 */
export type Send = (
  request: SentRequest,
  signal: AbortSignal | undefined,
) => Promise<ReceivedResponse>

/** A request has no complete response, such as after a timeout. */
export class RequestFailure extends Incomplete {}

/** Returns a request with its URL and the key. */
export function toSent(request: CheckRequest, urls: CheckUrls, key: string): SentRequest {
  const { address = 'api', method = 'GET', path, body, credential = 'own' } = request
  const authorization = authorizations[credential](key)
  const headers = {
    ...(authorization !== undefined && { Authorization: authorization }),
    ...request.headers,
  }
  return { url: `${urls[address]}${path}`, method, headers, body }
}

/**
 * Returns a curl command that repeats a request.
 *
 * @param variable The shell variable with the key, such as `$KEY`.
 */
export function toCurl(request: CheckRequest, urls: CheckUrls, variable: string): string {
  const { url, method, headers, body } = toSent(request, urls, variable)
  const parts = ['curl --include']
  if (method !== 'GET') parts.push(`--request ${method}`)
  for (const [name, value] of Object.entries(headers)) {
    // Double quotes: the shell replaces the variable.
    const isKey = name === 'Authorization'
    parts.push(`--header ${isKey ? `"${name}: ${value}"` : quote(`${name}: ${value}`)}`)
  }
  if (body !== undefined) parts.push(`--data ${quote(body)}`)
  return [...parts, quote(url)].join(' ')
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Maximum size of a body. A larger body is not read to its end. */
const maximumBytes = 16 * 2 ** 20

/**
 * Reads the body of a server that may be any.
 *
 * @throws {Error} If it is too large.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maximumBytes) {
      throw new Error(`the body is larger than ${maximumBytes / 2 ** 20} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
