import reasonPhrases from 'statuses/codes.json' with { type: 'json' }
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
import type { RequestTarget } from './base-urls.js'

/**
 * Responds to a Fetch request.
 *
 * @throws {Error} If the control API cannot be loaded.
 */
export async function respondToFetch(
  sandbox: Sandbox,
  request: Request,
  address: AddressId,
  target: RequestTarget,
): Promise<Response> {
  return toResponse(await respond(toApiRequest(request, address, target), sandbox), request)
}

function toApiRequest(
  request: Request,
  address: AddressId,
  { path, query, order }: RequestTarget,
): ApiRequest {
  const { method, headers } = request
  const client = findClientRequest(request)
  const controller = client && new AbortController()
  // Also emitted after the response, when it has no effect.
  client?.once('close', () => controller?.abort())
  const { signal } = controller ?? request
  const isAborted = () => {
    // The client may read the journal before the event is emitted.
    if (client?.destroyed) controller?.abort()
    return signal.aborted
  }
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

/** The part of the `ClientRequest` of `node:http` that {@link toApiRequest} uses. */
interface ClientRequest {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Returns the request of a client that uses `node:http`, such as axios. The signal of msw's request is
 * never aborted, but msw attaches the request of the client.
 */
function findClientRequest(request: Request): ClientRequest | undefined {
  const symbols = Object.getOwnPropertySymbols(request)
  const symbol = symbols.find(({ description }) => description === 'kRawRequest')
  const found: unknown = symbol && Reflect.get(request, symbol)
  return isClientRequest(found) ? found : undefined
}

function isClientRequest(value: unknown): value is ClientRequest {
  if (typeof value !== 'object' || value === null) return false
  const { destroyed, once } = value as Partial<ClientRequest> // checked in the next line
  return typeof destroyed === 'boolean' && typeof once === 'function'
}

/** @throws {RequestAborted} As a rejection, as soon as the signal is aborted. */
function readBytes(request: Request, signal: AbortSignal, limit: number): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new RequestAborted())
    signal.addEventListener('abort', abort, { once: true })
    request
      .arrayBuffer()
      .finally(() => signal.removeEventListener('abort', abort))
      .then((buffer) => resolve(buffer.byteLength > limit ? 'too-large' : new Uint8Array(buffer)))
      .catch(reject)
  })
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
  const init = { status, statusText: findReasonPhrase(status), headers: toPairs(headers) }
  if (stream && method !== 'HEAD') return new Response(toEventBytes(stream, signal), init)
  if (!body || method === 'HEAD') return new Response(null, init)
  return new Response(truncated ? toFailingStream(truncated) : body.text, init)
}

/** Node.js sends the same phrases over HTTP. */
function findReasonPhrase(status: number): string {
  const phrases: Readonly<Record<string, string>> = reasonPhrases
  return phrases[status] ?? ''
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
          if ((controller.desiredSize ?? 0) >= 0) return
          fail(new TypeError(`the event stream has more than ${streamBytes} unread bytes`))
        },
        end: () => controller.close(),
      })
      if (signal.aborted) fail(signal.reason)
      else signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    },
    cancel: () => close(),
  }
  const size = (chunk: Uint8Array) => chunk.byteLength
  return new ReadableStream(source, { highWaterMark: streamBytes, size })
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
