import type { ServiceOperation } from '../documents/service.js'
import type { Access } from '../session/client.js'

/** The input of the form for an operation. */
export interface TryInput {
  /** Path and query parameters by name. An empty query parameter is omitted. */
  readonly parameters: Readonly<Record<string, string>>
  /** Undefined for an operation without a request body. */
  readonly body: string | undefined
  /** The status for `Prefer: code=…`; empty for none. */
  readonly code: string
  /** The seconds for `Prefer: delay=…`; empty for none. */
  readonly delay: string
}

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

/** Creates a request for an operation. */
export function toRequest(
  operation: Pick<ServiceOperation, 'method' | 'path' | 'bases' | 'parameters'>,
  { apiKey, environment }: Access,
  input: TryInput,
): ServiceRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.parameters[name] ?? ''),
  )
  const prefer = toPrefer(input)
  return {
    method: operation.method,
    url: `${findBaseUrl(operation, environment)?.url ?? ''}${path}${toQuery(operation, input)}`,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(prefer && { Prefer: prefer }),
    },
    ...(input.body !== undefined && { body: input.body }),
  }
}

function toQuery(
  { parameters }: Pick<ServiceOperation, 'parameters'>,
  { parameters: values }: TryInput,
): string {
  const stated = parameters.filter(({ name, in: place }) => place === 'query' && values[name])
  const query = new URLSearchParams(stated.map(({ name }) => [name, values[name] ?? '']))
  return stated.length === 0 ? '' : `?${query}`
}

function toPrefer({ code, delay }: TryInput): string {
  return [code && `code=${code}`, delay && `delay=${delay}`].filter(Boolean).join(', ')
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
