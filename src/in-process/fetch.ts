import { HttpResponse } from 'msw'
import type { AddressId } from '../contract/addresses.js'
import type { EventStream } from '../control/operation.js'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLimitOf,
  RequestAborted,
  type RequestBody,
} from '../pipeline/message.js'

/**
 * Converts a Fetch request.
 *
 * @param target Path and query below the address.
 */
export function toApiRequest(
  request: Request,
  address: AddressId,
  { path, query }: Pick<ApiRequest, 'path' | 'query'>,
): ApiRequest {
  const { method, headers, signal } = request
  return {
    method,
    address,
    path,
    query,
    forEachHeader(visit) {
      for (const [name, value] of headers) visit(name, value)
    },
    header: (name) => headers.get(name) ?? undefined,
    get isAborted() {
      return signal.aborted
    },
    onAbort(listener) {
      if (signal.aborted) listener()
      else signal.addEventListener('abort', listener, { once: true })
    },
    readBody: () => (request.body === null ? undefined : readBytes(request, bodyLimitOf(address))),
  }
}

async function readBytes(request: Request, limit: number): Promise<RequestBody> {
  const bytes = new Uint8Array(await rejectOnAbort(request.arrayBuffer(), request.signal))
  return bytes.byteLength > limit ? 'too-large' : bytes
}

/**
 * Converts a response to a Fetch response. `HttpResponse` adds the reason phrase of HTTP/1.1. A
 * connection that a fault resets becomes a network error.
 */
export function toResponse(
  response: ApiResponse,
  { method, signal }: Pick<Request, 'method' | 'signal'>,
): Response {
  const { status, headers, body, fault, stream } = response
  if (fault?.type === 'reset') return Response.error()
  const init = { status, headers: toPairs(headers) }
  if (stream && method !== 'HEAD') return new HttpResponse(toByteStream(stream, signal), init)
  if (!body || method === 'HEAD') return new HttpResponse(null, init)
  if (!fault) return new HttpResponse(body.text, init)
  return new HttpResponse(toFailingStream(fault.bytes), init)
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

/** Encodes an event stream until the reader cancels it or the request is aborted. */
function toByteStream(stream: EventStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  return new ReadableStream({
    start(controller) {
      stop = stream((text) => controller.enqueue(encoder.encode(text)))
      const abort = () => {
        stop?.()
        controller.error(signal.reason)
      }
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    },
    cancel() {
      stop?.()
    },
  })
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
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.error(new TypeError('terminated'))
    },
  })
}
