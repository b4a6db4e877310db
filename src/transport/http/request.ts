import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import {
  type ApiRequest,
  bodyLimitOf,
  RequestAborted,
  type RequestBody,
} from '../../engine/message.js'
import { splitTarget } from '../../engine/route.js'
import { type AddressId, addresses } from '../../service/addresses.js'
import type { HttpLimits } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { describeValue } from '../../service/validation/validate.js'
import type { HttpClient } from './clients.js'
import { type Connection, estimateHeaderBytes } from './connections.js'
import { type AllowedHosts, hostPattern } from './hosts.js'
import type { PublicAddress } from './public-address.js'

/** What reading a request depends on. */
export interface RequestSettings {
  readonly limits: HttpLimits
  readonly hosts: AllowedHosts
  readonly publicAddress: PublicAddress
}

const addressIds = new Map<string, AddressId>(
  Object.entries(addresses).map(([id, { httpPath }]) => [httpPath, id as AddressId]), // its keys
)
const addressPattern = new RegExp(`^(?:${[...addressIds.keys()].join('|')})(?=[/?#]|$)`)

/** Whether a request target is below an address of the sandbox. */
export function isBelowAddress(target: string): boolean {
  return addressPattern.test(target)
}

/** An HTTP request in the form that the pipeline expects. */
export class HttpRequest implements ApiRequest {
  readonly method: string
  /** Whether the target is below an address. Otherwise its path is the whole path. */
  readonly isBelowAddress: boolean
  readonly address: AddressId
  readonly path: string
  readonly query: string
  /** The body, if it was read for the handlers of the user. */
  #body: RequestBody
  /** Bytes of the body, and of the headers during a delay, that count towards the client. */
  #receivedBytes = 0
  #waitingBytes = 0

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly connection: Connection,
    readonly client: HttpClient,
    readonly settings: RequestSettings,
  ) {
    const { method = 'GET', url = '' } = req
    const [httpPath = ''] = addressPattern.exec(url) ?? []
    const address = addressIds.get(httpPath)
    const { path, query } = splitTarget(url.slice(httpPath.length))
    this.method = method
    this.isBelowAddress = address !== undefined
    this.address = address ?? 'api'
    this.path = path
    this.query = query
  }

  get publicRoot(): string | undefined {
    return this.settings.publicAddress.find(this.req)
  }

  get isAborted(): boolean {
    return this.req.socket.destroyed && !this.res.writableEnded
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  forEachHeader(visit: (name: string, value: string) => void): void {
    for (const name in this.req.headers) {
      const value = this.header(name)
      // HTTP/2 has the parts of the request line as headers.
      if (value !== undefined && !name.startsWith(':')) visit(name, value)
    }
  }

  onAbort(listener: () => void): void {
    if (this.isAborted) listener()
    else this.onSent(() => this.isAborted && listener())
  }

  onSent(listener: () => void): void {
    if (this.req.socket.destroyed) listener()
    else this.res.once('close', listener)
  }

  beginDelay(): void {
    const bytes = estimateHeaderBytes(this.req)
    this.client.clients.waiting.add(this.client, bytes)
    this.#waitingBytes += bytes
  }

  /** Reads the body for the handlers of the user, which accept a longer one than the sandbox. */
  async readBodyForUser(): Promise<RequestBody> {
    this.#body = await this.#read(this.#drainedBytes)
    return this.#body
  }

  readBody(): Promise<RequestBody> | undefined {
    if (!hasBody(this.req)) return undefined
    return this.#read(this.isBelowAddress ? bodyLimitOf(this.address) : 0)
  }

  /** Size up to which a body is drained, so that the connection stays usable. */
  get #drainedBytes(): number {
    return Math.max(this.settings.limits.bodyBytes, bodyLimitOf(this.address))
  }

  /**
   * Reads the body. Reads nothing if Content-Length is too large. A body above the limit is drained.
   *
   * @param limit Largest body that is buffered, in bytes.
   * @throws {RequestAborted} As a rejection, if the client disconnects.
   * @throws {Problem} sandbox_capacity, as a rejection, if there is no room for the body.
   */
  async #read(limit: number): Promise<RequestBody> {
    const { req, res } = this
    if (!hasBody(req)) return undefined
    const read = this.#body ?? findReadBody(req)
    if (read !== undefined) {
      return typeof read === 'object' && read.byteLength > limit ? 'too-large' : read
    }
    // No event would show it again.
    if (req.socket.destroyed || res.headersSent) throw new RequestAborted()
    const { expect, 'content-length': length } = req.headers
    if (Number(length ?? 0) > this.#drainedBytes) return 'too-large'
    if (expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    return new Promise((resolve, reject) => this.#collect(limit, resolve, reject))
  }

  #collect(
    limit: number,
    resolve: (body: RequestBody) => void,
    reject: (error: unknown) => void,
  ): void {
    const { req } = this
    // One buffer, because each of many short chunks would need more memory than its bytes.
    let buffer: Buffer = noBytes
    let size = 0
    const stop = () => {
      // Without the listener, the rest of the body is discarded.
      req.off('data', add).off('end', end).off('close', abort).resume()
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const abort = () => fail(new RequestAborted())
    const end = () => {
      stop()
      resolve(size > limit ? 'too-large' : buffer.subarray(0, size))
    }
    const add = (chunk: Buffer) => {
      const start = size
      size += chunk.length
      if (size > this.#drainedBytes) {
        end()
        return
      }
      try {
        buffer = size > limit ? noBytes : this.#grow(buffer, size, limit)
        if (size <= limit) chunk.copy(buffer, start)
      } catch (error) {
        fail(error)
      }
    }
    // Emitted if the client disconnects, or sends the rest of a request that is malformed.
    req.on('error', abort)
    req.on('close', abort).on('data', add).on('end', end)
  }

  /**
   * Returns a buffer that has room for a number of bytes.
   *
   * @throws {Problem} sandbox_capacity
   */
  #grow(buffer: Buffer, size: number, limit: number): Buffer {
    if (size <= buffer.length) return buffer
    const longest = Math.min(limit, Number(this.req.headers['content-length'] ?? limit))
    const length = Math.min(Math.max(size, 2 * buffer.length), longest)
    const bytes = length - buffer.length
    this.client.clients.received.add(this.client, bytes)
    this.#receivedBytes += bytes
    return Buffer.concat([buffer], length)
  }

  /** Called when the request has a response. */
  release(): void {
    const { client } = this
    if (this.#receivedBytes > 0) client.clients.received.remove(client, this.#receivedBytes)
    if (this.#waitingBytes > 0) client.clients.waiting.remove(client, this.#waitingBytes)
  }
}

const noBytes = Buffer.alloc(0)

/**
 * Returns the body that a body parser has read before the sandbox. Undefined if none has.
 *
 * @throws {Problem} internal_error, if the parser has not left the bytes that the client sent.
 */
function findReadBody(req: IncomingMessage): Uint8Array | undefined {
  if (!req.readableDidRead) return undefined
  const { body } = req as { readonly body?: unknown } // set by body parsers
  if (body instanceof Uint8Array) return body
  throw new Problem(
    'internal_error',
    'a body parser has read the body before the sandbox; mount the sandbox before express.json() and other parsers',
  )
}

export function hasBody(req: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = req.headers
  if (length !== undefined) return length !== '0'
  if (encoding !== undefined) return true
  // HTTP/2 states no length. The type of Connect middlewares has no `stream`.
  return req.httpVersionMajor > 1 && !(req as unknown as Http2ServerRequest).stream.endAfterHeaders
}

/**
 * Returns the problem of a malformed request, or of a host that is not allowed. Changes a target in
 * absolute form to origin form.
 *
 * @param isLocal Whether only this machine can connect.
 */
export function findProblem(
  req: IncomingMessage,
  isLocal: boolean,
  { limits, hosts, publicAddress }: RequestSettings,
): Problem | undefined {
  const { headers, httpVersion, rawHeaders } = req
  // Node joins several Host headers with a comma, which the pattern rejects (RFC 9112, section 3.2).
  const isValid = (host: string | undefined) =>
    host === undefined ? httpVersion === '1.0' : hostPattern.test(host)
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(req.url ?? '') ?? []
  if (origin !== undefined) {
    if (!isValid(headers.host)) return createHostProblem(headers.host)
    toOriginForm(req, origin)
  }
  // HTTP/2 has another name for it.
  headers.host ??= headers[':authority']?.toString()
  const { host, expect } = headers
  const { url = '' } = req
  if (url.length > limits.targetLength || !/^\/(?!\/)[\x21-\x7e]*$/.test(url)) {
    return createTargetProblem(url, limits)
  }
  if (!isValid(host)) return createHostProblem(host)
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return createMalformedProblem('the Expect header', '100-continue', describeValue(expect))
  }
  if (rawHeaders.length / 2 > limits.headerCount) {
    const message = `a request must have at most ${limits.headerCount} header lines`
    return new Problem('headers_too_large', message)
  }
  const problem = hosts.findProblem(host, isLocal)
  return (
    problem ?? (publicAddress.isForwarded ? publicAddress.findProblem(req, isLocal) : undefined)
  )
}

/**
 * Changes a request target in absolute form to origin form. Its host replaces the Host header (RFC
 * 9112, section 3.2.2).
 *
 * @param origin The scheme and the host of the target.
 */
function toOriginForm(req: IncomingMessage, origin: string): void {
  const rest = (req.url ?? '').slice(origin.length)
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  req.headers.host = origin.slice(origin.indexOf('//') + 2)
}

function createTargetProblem(url: string, { targetLength }: HttpLimits): Problem {
  const part = 'the request target'
  if (url.length > targetLength) {
    return createMalformedProblem(part, `at most ${targetLength} characters`, `${url.length}`)
  }
  const isPath = url.startsWith('/') && !url.startsWith('//')
  const wanted = isPath ? 'visible ASCII' : 'a path that begins with one slash'
  return createMalformedProblem(part, wanted, describeValue(url))
}

function createHostProblem(host: string | undefined): Problem {
  const found = host === undefined ? 'none' : describeValue(host)
  return createMalformedProblem('the Host header', 'one host with an optional port', found)
}

function createMalformedProblem(part: string, wanted: string, found: string): Problem {
  return new Problem('malformed_request', `${part} must be ${wanted}, found ${found}`)
}
