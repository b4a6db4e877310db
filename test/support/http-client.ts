import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import axios from 'axios'
import { collect, decode } from './fetch-client.js'
import type { Client, ReceivedResponse, SentRequest } from './transport.js'

/** Sends with axios and its adapter for Node. A truncated body rejects the request. */
export const sendByAxios: Client = async ({ method, url, headers, body }) => {
  const response = await axios.request<ArrayBuffer>({
    adapter: 'http',
    method,
    url,
    // By default, axios sets a Content-Type on requests with a body.
    headers: { 'Content-Type': false, ...groupByName(headers) },
    data: body && Buffer.from(body),
    responseType: 'arraybuffer',
    validateStatus: () => true,
    proxy: false,
  })
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    status: response.status,
    statusText: response.statusText,
    headers: new Headers(received as [string, string][]), // the line above creates pairs
    text: decode(Buffer.from(response.data)),
    isCutOff: false,
  }
}

/** The connections of a client. */
type ConnectionOptions = Pick<https.RequestOptions, 'agent' | 'ca' | 'servername'>

/** Returns a client that sends with `node:http` or `node:https`, which add no headers of their own. */
function createNodeClient(options: ConnectionOptions): Client {
  return (request) =>
    new Promise((resolve, reject) => {
      const { method, url, body } = request
      const { request: start } = url.startsWith('https:') ? https : http
      const sent = start(url, { method, ...options, headers: completeHeaders(request) })
      sent.on('error', reject)
      sent.on('response', (message) => resolve(receive(message)))
      sent.end(body)
    })
}

/** Sends each request on a separate connection. */
export const sendByNodeHttp: Client = createNodeClient({ agent: false })

function completeHeaders({ url, headers, body }: SentRequest): string[] {
  const hasHost = headers.some(([name]) => name === 'Host')
  return [
    ...headers.flat(),
    ...(hasHost ? [] : ['Host', new URL(url).host]),
    ...(body ? ['Content-Length', String(body.byteLength)] : []),
  ]
}

async function receive(message: IncomingMessage): Promise<ReceivedResponse> {
  const headers = new Headers()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  }
  const { bytes, isCutOff } = await collect(message)
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  return { status, statusText, headers, text: decode(bytes), isCutOff }
}

/** Groups headers by name; a repeated header has an array of values. */
function groupByName(pairs: SentRequest['headers']): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = {}
  for (const [name, value] of pairs) {
    const found = grouped[name]
    grouped[name] = found === undefined ? value : [found, value].flat()
  }
  return grouped
}

/** The parts of a request beyond method and path. */
export interface RequestParts {
  /** Sent as `Authorization: Bearer <key>`. Default: no such header. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with its `Content-Type`. */
  readonly json?: unknown
  /** Sent unchanged, without a `Content-Type`. */
  readonly body?: string
}

/** A request line without the version, such as `GET /v1/inventory`, and the other parts. */
export type RequestRow = readonly [line: string, parts?: RequestParts]

/** A response with its JSON body. */
export interface HttpResponse extends ReceivedResponse {
  /** Undefined if the body is not JSON, or incomplete. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it with what they expect
  readonly json: any
  /** The `code` of an Error body. */
  readonly code: unknown
}

/** Sends a request. Rejects if the connection closes before a response. */
export type SendRow = (...row: RequestRow) => Promise<HttpResponse>

/**
 * Creates a client of the server at a root URL.
 *
 * @param options Default: a separate connection for each request.
 */
export function createHttpClient(
  url: string,
  options: ConnectionOptions = { agent: false },
): SendRow {
  const send = createNodeClient(options)
  return async (...row) => {
    const received = await send(toSentRequest(url, row))
    const isJson = /^application\/(?:openapi\+)?json\b/.test(
      received.headers.get('Content-Type') ?? '',
    )
    const hasJson = isJson && received.text !== '' && !received.isCutOff
    const json: unknown = hasJson ? JSON.parse(received.text) : undefined
    return { ...received, json, code: Object(json).code }
  }
}

const hasBody = /^(?:POST|PUT|PATCH)$/

function toSentRequest(url: string, [line, parts = {}]: RequestRow): SentRequest {
  const [method = '', path = ''] = line.split(' ')
  const { key, headers = {}, json, body } = parts
  const text = json === undefined ? body : JSON.stringify(json)
  return {
    method,
    url: `${url}${path}`,
    headers: [
      ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      // By default, node:http sends a body in chunks if the method can have one.
      ...(text === undefined && hasBody.test(method) ? [['Content-Length', '0'] as const] : []),
      ...Object.entries(headers),
    ],
    body: text === undefined ? undefined : new TextEncoder().encode(text),
  }
}
