import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { Client } from '../../engine/client.js'
import { type ApiResponse, longBodyBytes } from '../../engine/exchange.js'
import { readRequestId } from '../../engine/response.js'
import type { Route } from '../../engine/route.js'
import { Problem } from '../../service/errors.js'
import { readHeaders, requestIdHeader } from '../../service/headers.js'
import { JsonText } from '../../service/json-text.js'
import type { Clients } from './clients.js'
import { writeEvents } from './stream.js'

/** Sends responses. */
export class Responder {
  readonly #streams = new Set<ServerResponse>()
  /** Whether each connection must be closed after its next response. */
  isDraining = false

  constructor(readonly clients: Clients) {}

  /** Ends event streams, which end only when the client or the server closes them. */
  endStreams(): void {
    for (const res of this.#streams) res.end()
  }

  /**
   * Sends a response with its transmission fault. Does nothing if a response has been started.
   *
   * @param isLast Whether to close the connection after the response.
   * @param client The client of the request; undefined for a short response of the server itself.
   */
  send(res: ServerResponse, response: ApiResponse, isLast: boolean, client?: Client): void {
    if (res.destroyed || res.headersSent) return
    const { limits, unsent } = this.clients
    const { status, headers, truncated, stream } = response
    if (status === 0) {
      resetConnection(res)
      return
    }
    // HTTP/2 has several requests on one connection.
    const closes = (isLast || this.isDraining) && !isHttp2(res.req)
    const isHead = res.req.method === 'HEAD'
    const body = isHead ? undefined : response.body
    const list = closes ? [...headers, 'Connection', 'close'] : headers
    // Middlewares such as compression replace `writeHead`, and before on-headers 1.1 they misread a list.
    // With a list, only the last of repeated headers is sent over HTTP/2, and after a header that
    // Express has set. Only errors have repeated headers.
    const isReplaced = Object.hasOwn(res, 'writeHead')
    if (isReplaced || (status >= 400 && (isHttp2(res.req) || res.getHeaderNames().length > 0)))
      res.writeHead(status, readHeaders(list))
    // The cast is safe: Node.js only reads the list.
    else res.writeHead(status, list as string[])
    const onUnsent = (bytes: number) => client && unsent.set(res, client, bytes)
    if (stream && !isHead) {
      this.#streams.add(res)
      res.once('close', () => this.#streams.delete(res))
      writeEvents(res, stream, limits.idleTimeoutMs, onUnsent)
      return
    }
    if (truncated && body) {
      res.flushHeaders()
      res.write(truncated)
      breakConnection(res)
    } else if (closes && !res.req.complete) sendAndDrain(res, body?.text, limits.lingerMs)
    // The bytes of a long body are cached.
    else res.end(body && body.byteLength >= longBodyBytes ? body.bytes : body?.text)
    // Usually everything is sent at once, so that no timer is needed.
    if (client && (!res.writableEnded || res.writableLength > 0)) this.limitUnread(res, client)
  }

  /** Limits the time for which a client may read nothing of a ready response. */
  limitUnread(res: ServerResponse, client: Client): void {
    const { limits, unsent } = this.clients
    const { req } = res
    if (res.writableEnded) unsent.set(res, client, res.writableLength)
    req.socket.setTimeout(limits.unreadTimeoutMs)
    // Data from the client would start the time again.
    if (req.complete && !isHttp2(req)) pauseUntilSent(res)
  }

  /** Sends a response that is not specific to a world, with the id of its request. */
  sendOwn(res: ServerResponse, response: ApiResponse, isLast: boolean): void {
    const headers = [...response.headers, requestIdHeader, this.toRequestId(res)]
    this.send(res, { ...response, headers }, isLast)
  }

  /** Sends a problem that is not specific to a world. */
  sendProblem(res: ServerResponse, problem: Problem, isLast: boolean): void {
    const { rejections } = this.clients.sandbox
    if (problem.code === 'sandbox_capacity') rejections.notify(problem)
    this.sendOwn(res, toProblemResponse(problem), isLast)
  }

  /** Returns the id that the client sent, or creates one. */
  toRequestId(res: ServerResponse): string {
    const known = res.getHeader(requestIdHeader)
    if (typeof known === 'string') return known
    return (
      readRequestId(res.req.headers['x-request-id']?.toString()) ??
      this.clients.sandbox.createRequestId()
    )
  }

  /**
   * Reports an error and responds with 500. Closes the connection if a response has been started.
   *
   * @param source Origin of the error, for the message of the response.
   */
  fail(res: ServerResponse, error: unknown, source = 'a bug in the sandbox'): void {
    this.clients.sandbox.settings.platform.reportError(error)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const problem = new Problem('internal_error', `${source}; its log has the details`)
    this.sendProblem(res, problem, !res.req.complete)
  }
}

/**
 * Creates the response to a problem that is not specific to a world.
 *
 * @param more Names and values of further headers, in turn.
 */
export function toProblemResponse(problem: Problem, more: readonly string[] = []): ApiResponse {
  const { status, retryAfterSeconds } = problem
  const allow = problem.code === 'method_not_allowed' ? ['Allow', 'GET, HEAD'] : []
  const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)]
  const headers = ['Cache-Control', 'no-store', ...toOpenHeaders(`Retry-After, ${requestIdHeader}`)]
  return toJsonResponse(status, problem.toBody(), [...headers, ...retry, ...more, ...allow])
}

/** Creates the response to a request that succeeds and is not specific to a world. */
export function toStatusResponse(status: string): ApiResponse {
  const headers = ['Cache-Control', 'no-cache', ...toOpenHeaders(requestIdHeader)]
  return toJsonResponse(200, { status }, headers)
}

function toJsonResponse(status: number, value: unknown, more: readonly string[]): ApiResponse {
  const body = JsonText.of(value)
  const type = ['Content-Type', 'application/json', 'Content-Length', String(body.byteLength)]
  return { status, headers: [...type, ...more], body }
}

/** Returns the headers with which pages of any origin may read a response. */
function toOpenHeaders(exposed: string): string[] {
  const origin = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', exposed]
  return ['X-Content-Type-Options', 'nosniff', ...origin]
}

/** Whether a request uses HTTP/2. A client can write any version into a request of HTTP/1. */
export function isHttp2(req: IncomingMessage): boolean {
  return 'stream' in req
}

/** Reads nothing from a connection until a response has been sent. */
function pauseUntilSent(res: ServerResponse): void {
  const { socket } = res.req
  socket.pause()
  res.once('finish', () => socket.resume())
}

/** Closes the connection without sending anything. */
export function resetConnection(res: ServerResponse): void {
  const { socket } = res.req
  // Only a plain connection can be reset.
  if (isHttp2(res.req) || 'encrypted' in socket) breakConnection(res)
  else socket.resetAndDestroy()
}

/** Error code of HTTP/2 (RFC 9113, section 7). */
const internalError = 2

/** Closes the connection, or the stream of HTTP/2, of a response that is incomplete. */
function breakConnection(res: ServerResponse): void {
  if (!isHttp2(res.req)) res.req.socket.destroySoon()
  // The type of Connect middlewares has no `stream`.
  else (res as unknown as Http2ServerResponse).stream.close(internalError)
}

/**
 * Sends the last bytes of a connection. Closes it when the client has closed its side, or after
 * `lingerMs` milliseconds.
 */
export function endSocket(socket: Socket, bytes: string, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.on('error', () => socket.destroy()).once('end', () => socket.destroy())
  socket.end(bytes)
  socket.resume()
}

/**
 * Sends a response while its request is still arriving, and drains the request for at most
 * `lingerMs` milliseconds. A client that is still sending could not read the response if the
 * connection were closed at once.
 */
function sendAndDrain(res: ServerResponse, body: string | undefined, lingerMs: number): void {
  const { req } = res
  if (body === undefined) res.flushHeaders()
  else res.write(body)
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, lingerMs)
  res.once('close', () => clearTimeout(timer))
  req
    .on('error', () => {})
    .once('end', end)
    .resume()
}

/** Upper bounds of the buckets of a histogram, in seconds. */
export const durationBounds = [
  0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
] as const

/** The number of durations in each bucket; the last bucket has no bound. */
export interface Histogram {
  readonly counts: number[]
  sum: number
}

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Counts what a server does. No label contains an API key, the label of a world, or the address of a
 * client.
 */
export class Metrics {
  /** Number of responses by operation (`none` if no operation matched), method and status. */
  readonly requests = new Map<string, Map<string, Map<number, number>>>()
  /** Time from the headers of a request until its response is ready, by operation. */
  readonly requestDurations = new Map<string, Histogram>()
  /** Duration of the operations of the store. */
  readonly storeDurations = new Map<string, Histogram>()
  /** Number of steps that were executed again because another replica had changed the world. */
  storeConflicts = 0

  /**
   * Counts an operation of the store, also one that failed.
   *
   * @param operation Name of the method of the store: `append`.
   */
  observeStore(operation: string, seconds: number): void {
    observe(this.storeDurations, operation, seconds)
  }

  /** Counts a request of the service or the control API, with the time until its response was ready. */
  countRequest(sent: string, { endpoint }: Route, status: number, seconds: number): void {
    const operation = endpoint?.id ?? 'none'
    // A client can send any method to a path that has no operation.
    const method = endpoint || knownMethods.includes(sent) ? sent : 'other'
    const methods = this.requests.get(operation) ?? new Map<string, Map<number, number>>()
    const statuses = methods.get(method) ?? new Map<number, number>()
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    this.requests.set(operation, methods.set(method, statuses))
    observe(this.requestDurations, operation, seconds)
  }
}

function observe(histograms: Map<string, Histogram>, operation: string, seconds: number): void {
  const buckets = durationBounds.length + 1
  const histogram = histograms.get(operation) ?? { counts: Array(buckets).fill(0), sum: 0 }
  let at = 0
  while (seconds > (durationBounds[at] ?? Number.POSITIVE_INFINITY)) at += 1
  histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
  histogram.sum += seconds
  histograms.set(operation, histogram)
}
