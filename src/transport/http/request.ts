import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { isIP } from 'node:net'
import { type ApiRequest, RequestAborted, type RequestBody } from '../../engine/exchange.js'
import { splitTarget } from '../../engine/route.js'
import { type AddressId, addresses } from '../../service/addresses.js'
import { controlBodyBytes, type HttpLimits, serviceBodyBytes } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { truncate } from '../../service/validation/message.js'
import { describeValue } from '../../service/validation/validate.js'
import type { HttpClient } from './clients.js'
import { type Connection, estimateHeaderBytes } from './connections.js'
import {
  findMountPath,
  type HostOptions,
  hostPattern,
  PublicAddress,
  readForwarded,
} from './hosts.js'

const addressIds = new Map<string, AddressId>(
  Object.entries(addresses).map(([id, { httpPath }]) => [httpPath, id as AddressId]), // its keys
)
const addressPattern = new RegExp(`^(?:${[...addressIds.keys()].join('|')})(?=[/?#]|$)`)

/** Whether a request target is below an address of the sandbox. */
export function isBelowAddress(target: string): boolean {
  return addressPattern.test(target)
}

/** The guides in the package, whose links are relative. A checkout has more, for contributors. */
export const guides =
  /^\/(?:llms\.txt|LICENSE|(?:README|CHANGELOG|SECURITY|skills\/petstore-sandbox\/SKILL|docs\/(?!(?:architecture|decisions|releasing)\.)(?:recipes\/)?[a-z-]+)\.md)$/

const consoleFiles = /^\/(?:index\.html|console[\w-]*\.\w+|licenses\.md)$/

const documents = /^\/(?:openapi(?:\.3\.0|\.sandbox)?\.json|metrics)?$/

/** Whether there is a page for a request target: a document, a file of the console, or a guide. */
export function isPage(target: string, consoleDirectory: URL, packageDirectory: URL): boolean {
  const [path = ''] = target.split('?', 1)
  const isFile = (pattern: RegExp, directory: URL) =>
    pattern.test(path) && existsSync(new URL(`.${path}`, directory))
  return (
    documents.test(path) ||
    isFile(consoleFiles, consoleDirectory) ||
    isFile(guides, packageDirectory)
  )
}

/** Returns the problem of a request that is below no address of the sandbox. */
export function createRouteProblem(req: IncomingMessage): Problem {
  const { method, url = '' } = req
  const mountPath = findMountPath(req)
  const [path = ''] = url.split('?', 1)
  const known = Object.values(addresses).map(({ httpPath }) => `${mountPath}${httpPath}`)
  const request = `${method} ${truncate(`${mountPath}${path}`)}`
  const message = `no route matches ${request}; the addresses are ${known.join(', ')}`
  return new Problem('route_not_found', message)
}

/** An HTTP request in the form that the engine expects. */
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
    readonly checks: RequestChecks,
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
    return this.checks.publicAddress.find(this.req) || undefined
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
    // Node sets it again after the response. Another server has its own.
    if (this.connection.isOwn) this.req.socket.setTimeout(0)
  }

  /** Reads the body for the handlers of the user, which accept a longer body than the sandbox. */
  async readBodyForUser(): Promise<RequestBody> {
    const isControl = addresses[this.address].api === 'control'
    const limit = isControl ? controlBodyBytes : serviceBodyBytes
    this.#body = await this.#read(Math.max(this.checks.limits.bodyBytes, limit))
    return this.#body
  }

  readBody(limit: number): Promise<RequestBody> | undefined {
    return hasBody(this.req) ? this.#read(limit) : undefined
  }

  async #read(limit: number): Promise<RequestBody> {
    if (!hasBody(this.req)) return undefined
    const body = this.#body ?? (await this.#receive(limit))
    return typeof body === 'object' && body.byteLength > limit ? 'too-large' : body
  }

  /**
   * Receives the body. Reads nothing if Content-Length exceeds the limit.
   *
   * @param bufferLimit Size of the largest body that is buffered, in bytes. A larger one is drained.
   * @throws {RequestAborted} As a rejection, if the client disconnects.
   * @throws {Problem} As a rejection, if the body is not available, or there is no room for it.
   */
  async #receive(bufferLimit: number): Promise<RequestBody> {
    const { req, res, client, connection } = this
    // A rejected body is drained, so that the connection stays usable.
    const drainLimit = Math.max(this.checks.limits.bodyBytes, bufferLimit)
    const { expect, 'content-length': stated = Number.POSITIVE_INFINITY } = req.headers
    const length = Number(stated)
    const isLonger = (limit: number) => Number.isFinite(length) && length > limit
    if (req.readableDidRead) return isLonger(bufferLimit) ? 'too-large' : findReadBody(req)
    // The events of a closed connection have been emitted.
    if (req.socket.destroyed || res.headersSent) throw new RequestAborted()
    if (isLonger(drainLimit)) return 'too-large'
    const isExpecting = expect !== undefined && req.httpVersion === '1.1'
    if (connection.isOwn && isExpecting) res.writeContinue()
    // Uses one buffer, because many short chunks would need more memory than their bytes.
    let buffer: Buffer = Buffer.alloc(0)
    let size = 0
    try {
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        const start = size
        size += chunk.length
        if (size > drainLimit) break
        if (size > bufferLimit) continue
        if (size > buffer.length) {
          const longest = Math.min(bufferLimit, length)
          const newLength = Math.min(Math.max(size, 2 * buffer.length), longest)
          client.clients.received.add(client, newLength - buffer.length)
          this.#receivedBytes += newLength - buffer.length
          buffer = Buffer.concat([buffer], newLength)
        }
        chunk.copy(buffer, start)
      }
    } catch (error) {
      throw error instanceof Problem ? error : new RequestAborted()
    } finally {
      req.resume()
    }
    return size > bufferLimit ? 'too-large' : buffer.subarray(0, size)
  }

  /** Called when the request has a response. */
  release(): void {
    const { client } = this
    if (this.#receivedBytes > 0) client.clients.received.remove(client, this.#receivedBytes)
    if (this.#waitingBytes > 0) client.clients.waiting.remove(client, this.#waitingBytes)
  }
}

/**
 * Returns the body that a body parser has read before the sandbox: its bytes or its text, or the parsed
 * value as JSON.
 *
 * @throws {Problem} internal_error, if the body was read and `req.body` is not set.
 */
function findReadBody(req: IncomingMessage): Uint8Array {
  const { body } = req as { readonly body?: unknown } // set by body parsers
  if (body instanceof Uint8Array) return body
  if (req.readableEnded && body !== undefined) {
    return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  }
  throw new Problem(
    'internal_error',
    'a middleware before the sandbox has read the body and not set req.body; mount the sandbox before it',
  )
}

export function hasBody(req: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = req.headers
  if (length !== undefined) return length !== '0'
  if (encoding !== undefined) return true
  // HTTP/2 states no length. The type of Connect middlewares has no `stream`.
  return 'stream' in req && !(req as unknown as Http2ServerRequest).stream.endAfterHeaders
}

/** Checks the target, the Host header and the other headers of the connection. */
export class RequestChecks {
  readonly #names: ReadonlySet<string>
  /** Ends of names, with a leading dot. */
  readonly #ends: readonly string[]
  /** Whether to accept all names; undefined if this depends on the address of the server. */
  readonly #acceptsAll: boolean | undefined
  readonly publicAddress: PublicAddress

  constructor(
    { allowedHosts, publicUrl }: HostOptions,
    readonly limits: HttpLimits,
  ) {
    const listed = allowedHosts === true ? [] : (allowedHosts ?? [])
    const names = ['localhost', '.localhost', ...listed.map((name) => name.toLowerCase())]
    if (publicUrl !== undefined) names.push(new URL(publicUrl).hostname)
    this.#ends = names.filter((name) => name.startsWith('.'))
    this.#names = new Set(names.map((name) => name.replace(/^\./, '')))
    this.#acceptsAll = allowedHosts === undefined ? undefined : allowedHosts === true
    this.publicAddress = new PublicAddress(publicUrl, limits)
  }

  /**
   * Returns the problem of a malformed request, or of a host that is not allowed. Changes a target in
   * absolute form to origin form.
   */
  findProblem(req: IncomingMessage, connection: Connection): Problem | undefined {
    const { headers, httpVersion, rawHeaders } = req
    const { targetLength, headerCount } = this.limits
    // Node joins several Host headers with a comma, which the pattern rejects (RFC 9112, section 3.2).
    // HTTP/1.0 requires none.
    const missing = httpVersion === '1.0' ? 'unknown' : ''
    const [origin] = /^https?:\/\/[^/?#]*/i.exec(req.url ?? '') ?? []
    if (origin !== undefined) {
      if (!hostPattern.test(headers.host ?? missing)) return createHostProblem(headers.host)
      const rest = (req.url ?? '').slice(origin.length)
      req.url = rest.startsWith('/') ? rest : `/${rest}`
      // The host of the target replaces the Host header (RFC 9112, section 3.2.2).
      req.headers.host = origin.slice(origin.indexOf('//') + 2)
    }
    // HTTP/2 has another name for the header.
    headers.host ??= headers[':authority']?.toString()
    const { host, expect } = headers
    const { url = '' } = req
    if (url.length > targetLength || !/^\/(?!\/)[\x21-\x7e]*$/.test(url)) {
      return createTargetProblem(url, targetLength)
    }
    if (!hostPattern.test(host ?? missing)) return createHostProblem(host)
    if (expect !== undefined && !/^100-continue$/i.test(expect)) {
      return createMalformedProblem('the Expect header', '100-continue', describeValue(expect))
    }
    if (rawHeaders.length / 2 > headerCount) {
      const message = `a request must have at most ${headerCount} header lines`
      return new Problem('headers_too_large', message)
    }
    const problem = this.#findHostProblem(host, connection, 'Host')
    if (problem || !this.publicAddress.isForwarded) return problem
    const forwarded = readForwarded(req, 'X-Forwarded-Host', this.limits)
    const forwardedProblem = this.#findHostProblem(forwarded, connection, 'X-Forwarded-Host')
    return this.publicAddress.findProblem(req) ?? forwardedProblem
  }

  /**
   * Returns the problem of a header that names another host. A missing header is accepted: DNS
   * rebinding needs a browser, and browsers always send the header.
   *
   * @param host A valid value: a name or an IP address, with an optional port.
   */
  #findHostProblem(host: string | undefined, { client, isOwn }: Connection, header: string) {
    if (!host || (this.#acceptsAll ?? !client.isLocal)) return undefined
    const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase()
    if (this.#names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return undefined
    if (this.#ends.some((end) => name.endsWith(end))) return undefined
    const wanted = `the ${header} header must name this machine`
    const shown = name.slice(0, 100)
    const option = isOwn ? `--allowed-hosts ${shown}` : `the option allowedHosts: ['${shown}']`
    const advice = `start with ${option} to accept it`
    return new Problem('host_not_allowed', `${wanted}, found ${describeValue(name)}; ${advice}`)
  }
}

function createTargetProblem(url: string, targetLength: number): Problem {
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
