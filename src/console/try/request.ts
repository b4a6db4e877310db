import type { ServiceOperation } from '../documents/service.js'
import type { Entries } from '../parts/form-values.js'
import type { Access } from '../session/client.js'

/** A complete request to the service. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of a request: a response, an incomplete response, or a failure. */
export interface Outcome {
  /** Undefined if the connection closed before the response. */
  readonly status?: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Why the response is missing or incomplete. */
  readonly failure?: string
}

/**
 * Returns the base URL of an operation in an environment; its first base URL if the operation is
 * not available there.
 */
export function findBaseUrl(
  { bases }: Pick<ServiceOperation, 'bases'>,
  environment: Access['environment'],
): ServiceOperation['bases'][number] | undefined {
  return bases.find((base) => base.environment === environment) ?? bases[0]
}

/**
 * Creates a request for an operation.
 *
 * @param entries Parameters by name, the `body`, and the preferences `code` and `delay`. Without an
 * entry, query parameters and preferences are omitted.
 */
export function toRequest(
  operation: Pick<ServiceOperation, 'method' | 'path' | 'bases' | 'parameters'>,
  { apiKey, environment }: Access,
  entries: Entries = {},
): ServiceRequest {
  const { body, code, delay } = entries
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(entries[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const { name, in: place } of operation.parameters) {
    if (place === 'query' && entries[name]) query.set(name, entries[name])
  }
  const preferences = [code && `code=${code}`, delay && `delay=${delay}`].filter(Boolean)
  return {
    method: operation.method,
    url: `${findBaseUrl(operation, environment)?.url ?? ''}${path}?${query}`.replace(/\?$/, ''),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
    },
    ...(body !== undefined && { body }),
  }
}

/** Returns the curl command for a request, quoted for a POSIX shell. */
export function toCurl({ method, url, headers, body }: ServiceRequest): string {
  const parts = ['curl', '-i']
  if (method === 'HEAD') parts.push('-I')
  else if (method !== 'GET' || body !== undefined)
    parts.push('-X', /^\w+$/.test(method) ? method : quote(method))
  // curl would remove dot segments from the path, and expand brackets and braces.
  if (/\/\.\.?(?:\/|\?|$)/.test(url)) parts.push('--path-as-is')
  if (/[[\]{}]/.test(url)) parts.push('--globoff')
  parts.push(quote(url))
  for (const [name, value] of Object.entries(headers)) {
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`))
  }
  if (body === undefined) return parts.join(' ')
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  // Without it, curl sends the type of a form.
  if (!hasType) parts.push('-H', "'Content-Type:'")
  parts.push('--data-raw', quote(body))
  return parts.join(' ')
}

/**
 * Quotes a text. Replaces control characters except white space, which no JSON has, because a
 * terminal could interpret them when the command is pasted.
 */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replace(/(?!\s)\p{Cc}/gu, '?')}'`
}

/** Sends a request. Never rejects. */
export async function sendRequest(
  { url, ...init }: ServiceRequest,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Outcome> {
  let response: Response
  try {
    response = await send(url, { ...init, cache: 'no-store' })
  } catch {
    return { headers: [], body: '', failure: noResponse }
  }
  const head = { status: response.status, headers: Array.from(response.headers) }
  try {
    return { ...head, body: await response.text() }
  } catch {
    return { ...head, body: '', failure: incompleteBody }
  }
}

const noResponse =
  'The connection closed before the response. The cause is a fault of type reset, or the sandbox has stopped.'
const incompleteBody =
  'The connection closed before the end of the body. The cause may be a fault of type truncate.'
