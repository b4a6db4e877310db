import { HttpResponse } from 'msw'
import type { AddressId } from '../contract/addresses.js'
import type { EventStream } from '../control/operation.js'
import { type ApiRequest, type ApiResponse, bodyLimitOf } from '../pipeline/message.js'

/**
 * A Fetch request as a call.
 *
 * @param target Path and query below the address.
 */
export async function toApiRequest(
  request: Request,
  address: AddressId,
  target: string,
): Promise<ApiRequest> {
  const { path, query } = splitTarget(target)
  const { method, headers } = request
  return {
    method,
    address,
    path,
    query,
    forEachHeader(visit) {
      for (const [name, value] of headers) visit(name, value)
    },
    header: (name) => headers.get(name) ?? undefined,
    body: await readBytes(request, bodyLimitOf(address)),
  }
}

/** Path and query of a target such as `/inventory/7?x=1#y`; a fragment is left out. */
export function splitTarget(target: string): { path: string; query: string } {
  const [whole = ''] = target.split('#', 1)
  const queryAt = whole.indexOf('?')
  if (queryAt < 0) return { path: whole, query: '' }
  return { path: whole.slice(0, queryAt), query: whole.slice(queryAt + 1) }
}

async function readBytes(request: Request, limit: number): Promise<ApiRequest['body']> {
  if (request.body === null) return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.byteLength > limit ? 'too-large' : bytes
}

/**
 * The answer as a Fetch response, with the reason phrase that HTTP/1.1 has (msw knows them); a
 * broken connection is a network error.
 */
export function toResponse(
  answer: ApiResponse,
  { method, signal }: Pick<Request, 'method' | 'signal'>,
): Response {
  const { status, headers, body, fault, stream } = answer
  if (fault?.type === 'reset') return Response.error()
  const init = { status, headers: toPairs(headers) }
  if (stream && method !== 'HEAD') return new HttpResponse(toByteStream(stream, signal), init)
  if (!body || method === 'HEAD') return new HttpResponse(null, init)
  if (!fault) return new HttpResponse(body.text, init)
  return new HttpResponse(breakOff(fault.bytes), init)
}

function toPairs(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return pairs
}

/** The text of an event source as bytes, until the reader leaves or the request is aborted. */
function toByteStream(source: EventStream, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  return new ReadableStream({
    start(controller) {
      stop = source((text) => controller.enqueue(encoder.encode(text)))
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

/** A body that breaks off after its bytes, as a connection does. */
function breakOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = bytes.length === 0
  return new ReadableStream({
    async pull(controller) {
      if (!isSent) {
        isSent = true
        return controller.enqueue(bytes)
      }
      // An error drops all that was not read yet, also in the copies of a stream that msw makes and
      // on its way through a service worker: it comes when a reader who waits has the bytes.
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.error(new TypeError('terminated'))
    },
  })
}
