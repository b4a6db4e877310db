import type { EventStream } from '../../control/event-feed.js'
import {
  type ApiRequest,
  type ApiResponse,
  RequestAborted,
  type RequestBody,
} from '../../engine/exchange.js'
import { respond } from '../../engine/respond.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { AddressId } from '../../service/addresses.js'
import { streamBytes } from '../../service/bounds.js'
import { startTimer } from '../../service/timers.js'

/**
 * Responds to a Fetch request.
 *
 * @param target Path and query below the address, and the order of arrival if it has one.
 * @throws {Error} If the control API cannot be loaded.
 */
export async function respondToFetch(
  sandbox: Sandbox,
  request: Request,
  address: AddressId,
  target: Pick<ApiRequest, 'path' | 'query' | 'order'>,
): Promise<Response> {
  return toResponse(await respond(toApiRequest(request, address, target), sandbox), request)
}

function toApiRequest(
  request: Request,
  address: AddressId,
  { path, query, order }: Pick<ApiRequest, 'path' | 'query' | 'order'>,
): ApiRequest {
  const { method, headers } = request
  const { signal, isAborted } = watchAbort(request)
  return {
    method,
    address,
    path,
    query,
    order,
    forEachHeader(visit) {
      for (const [name, value] of headers) visit(name, value)
    },
    header: (name) => headers.get(name) ?? undefined,
    get isAborted() {
      return isAborted()
    },
    onAbort(listener) {
      if (isAborted()) listener()
      else signal.addEventListener('abort', listener, { once: true })
    },
    readBody: (limit) => (request.body === null ? undefined : readBytes(request, signal, limit)),
  }
}

/** The part of the `ClientRequest` of `node:http` that {@link watchAbort} uses. */
interface ClientRequest {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

interface AbortWatch {
  readonly signal: AbortSignal
  /** Whether the client has aborted the request. The signal is then aborted too. */
  isAborted(): boolean
}

/**
 * Returns the signal of a request. For a client that uses `node:http`, such as axios, msw creates a
 * request whose signal is never aborted, and attaches the request of the client.
 */
function watchAbort(request: Request): AbortWatch {
  const { signal } = request
  const client = Object.getOwnPropertySymbols(request)
    .filter(({ description }) => description === 'kRawRequest')
    .map((symbol): unknown => Reflect.get(request, symbol))
    .find(isClientRequest)
  if (!client) return { signal, isAborted: () => signal.aborted }
  const controller = new AbortController()
  // Also emitted after the response, when it has no effect.
  client.once('close', () => controller.abort())
  return {
    signal: controller.signal,
    isAborted() {
      // The client may look for the request before the event is emitted.
      if (client.destroyed) controller.abort()
      return client.destroyed
    },
  }
}

function isClientRequest(value: unknown): value is ClientRequest {
  if (typeof value !== 'object' || value === null) return false
  const { destroyed, once } = value as Partial<ClientRequest> // checked in the next line
  return typeof destroyed === 'boolean' && typeof once === 'function'
}

async function readBytes(
  request: Request,
  signal: AbortSignal,
  limit: number,
): Promise<RequestBody> {
  const bytes = new Uint8Array(await rejectOnAbort(request.arrayBuffer(), signal))
  return bytes.byteLength > limit ? 'too-large' : bytes
}

/**
 * Converts a response to a Fetch response with the reason phrase of HTTP/1.1. A connection that a
 * fault resets becomes a network error.
 */
export function toResponse(
  response: ApiResponse,
  { method, signal }: Pick<Request, 'method' | 'signal'>,
): Response {
  const { status, headers, body, truncated, stream } = response
  if (status === 0) return Response.error()
  const init = { status, statusText: reasonPhrases[status] ?? '', headers: toPairs(headers) }
  if (stream && method !== 'HEAD') return new Response(toEventBytes(stream, signal), init)
  if (!body || method === 'HEAD') return new Response(null, init)
  return new Response(truncated ? toFailingStream(truncated) : body.text, init)
}

/** @throws {RequestAborted} As a rejection, as soon as the signal is aborted. */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new RequestAborted())
    const settled = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    promise.finally(settled).then(resolve, reject)
  })
}

function toPairs(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return pairs
}

/**
 * Opens an event stream until it ends, the reader cancels it or the request is aborted. Fails if the
 * reader is too far behind.
 */
function toEventBytes(stream: EventStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  let close = () => {}
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const fail = (reason: unknown) => {
        close()
        controller.error(reason)
      }
      close = stream({
        send(chunk) {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) < 0) fail(createBacklogError())
        },
        end: () => controller.close(),
      })
      onAbort(signal, fail)
    },
    cancel: () => close(),
  }
  const size = (chunk: Uint8Array) => chunk.byteLength
  return new ReadableStream(source, { highWaterMark: streamBytes, size })
}

function createBacklogError(): Error {
  return new TypeError(`the event stream has more than ${streamBytes} unread bytes`)
}

/** Calls the listener with the reason when the signal is aborted, or at once if it already is. */
function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): void {
  if (signal.aborted) listener(signal.reason)
  else signal.addEventListener('abort', () => listener(signal.reason), { once: true })
}

/** Creates a stream that fails after its bytes, as a body does when the connection is closed. */
function toFailingStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = bytes.length === 0
  return new ReadableStream({
    async pull(controller) {
      if (!isSent) {
        isSent = true
        return controller.enqueue(bytes)
      }
      // An error discards unread bytes, also in msw's copies of the stream and in a service worker.
      // The delay lets a waiting reader receive the bytes first.
      await new Promise((resolve) => startTimer(resolve, 50))
      controller.error(new TypeError('terminated'))
    },
  })
}

/**
 * Reason phrase of each status that a response can have (RFC 9110, section 15, and the IANA registry).
 * Node.js sends the same ones over HTTP.
 */
const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  509: 'Bandwidth Limit Exceeded',
  510: 'Not Extended',
  511: 'Network Authentication Required',
}
