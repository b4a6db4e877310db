import type { ServerResponse } from 'node:http'
import type { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { ApiResponse } from '../pipeline/message.js'
import { resetConnection, sendTruncated } from './fault.js'
import type { HttpLimits } from './limits.js'
import { sendUnread } from './linger.js'
import { sendStream } from './stream.js'

/** What an answer needs to know of its connection. */
export type ConnectionLimits = Pick<HttpLimits, 'lingerMs' | 'idleTimeoutMs'>

/**
 * Sends an answer, with what its fault does to it; nothing when another one has begun.
 *
 * @param isLast Whether no further request is taken from the connection.
 */
export function sendApiResponse(
  res: ServerResponse,
  answer: ApiResponse,
  isLast: boolean,
  limits: ConnectionLimits,
): void {
  if (res.destroyed || res.headersSent) return
  const { status, headers, fault } = answer
  if (fault?.type === 'reset') {
    resetConnection(res)
    return
  }
  // Node only reads the list.
  res.writeHead(status, isLast ? [...headers, 'Connection', 'close'] : (headers as string[]))
  const isHead = res.req.method === 'HEAD'
  const body = isHead ? undefined : answer.body
  if (answer.stream && !isHead) sendStream(res, answer.stream, limits.idleTimeoutMs / 10)
  else if (fault && body !== undefined) sendTruncated(res, fault.bytes)
  else if (isLast && !res.req.complete) sendUnread(res, body?.text, limits.lingerMs)
  else res.end(body && toCheapest(body))
}

/** Bytes of a body from which on its bytes are sent with less work than its text: measured. */
const longBody = 16_384

/** A long body that is sent often is worth turning into bytes once; Node joins a short one's text
 * with the head and writes both at once. */
function toCheapest(body: JsonText): string | Uint8Array {
  return body.byteLength >= longBody ? body.bytes : body.text
}

/** A problem that lies outside all worlds, readable by a page of any origin. */
export function toProblemResponse(problem: Problem, further: readonly string[] = []): ApiResponse {
  const body = JsonText.of(problem.toBody())
  return { status: problem.status, headers: [...toHeaders(body), ...further], body }
}

function toHeaders(body: JsonText): string[] {
  return [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.byteLength),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Access-Control-Allow-Origin',
    '*',
  ]
}
