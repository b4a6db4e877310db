import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiRequest, RequestAborted, type RequestBody } from '../../engine/message.js'
import type { AddressId } from '../../service/addresses.js'
import type { HttpLimits } from '../../service/bounds.js'
import { readBody } from './body.js'
import type { HttpClient } from './clients.js'
import { type Connection, estimateHeaderBytes, type ServedAddress } from './connections.js'
import type { PublicAddress } from './public-address.js'

/** A valid request target. */
export interface RequestTarget {
  /** Undefined for a target outside all addresses. */
  readonly address: ServedAddress | undefined
  /** Path below the base address, without the query. */
  readonly path: string
  readonly query: string
}

/** Where a well-formed request came from. */
export interface RequestOrigin {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly connection: Connection
  readonly client: HttpClient
  /** Place of its arrival in the order of the process. */
  readonly order: number
}

/** The parts of a server that a request needs. */
interface RequestParts {
  readonly limits: HttpLimits
  readonly publicAddress: PublicAddress
}

/** An HTTP request in the form that the pipeline expects. */
export class HttpRequest implements ApiRequest {
  readonly method: string
  readonly address: AddressId
  readonly path: string
  readonly query: string
  readonly connection: Connection
  readonly order: number
  readonly client: HttpClient
  /** The body, if it was read for the handlers of the user. */
  #body: RequestBody
  /** Bytes of the body, and of the headers during a delay, that count towards the client. */
  #receivedBytes = 0
  #waitingBytes = 0

  constructor(
    readonly origin: RequestOrigin,
    readonly target: RequestTarget,
    readonly parts: RequestParts,
  ) {
    const { req, connection, order, client } = origin
    this.method = req.method ?? 'GET'
    this.address = target.address?.id ?? 'api'
    this.path = target.path
    this.query = target.query
    this.connection = connection
    this.order = order
    this.client = client
  }

  get publicRoot(): string | undefined {
    return this.parts.publicAddress.find(this.origin.req)
  }

  get isAborted(): boolean {
    return this.connection.isAborted && !this.origin.res.writableFinished
  }

  header(name: string): string | undefined {
    const value = this.origin.req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  forEachHeader(visit: (name: string, value: string) => void): void {
    for (const name in this.origin.req.headers) {
      const value = this.header(name)
      if (value !== undefined) visit(name, value)
    }
  }

  onAbort(listener: () => void): void {
    if (this.connection.isAborted) listener()
    else this.connection.onAbort(listener)
  }

  onSent(listener: () => void): void {
    const { res } = this.origin
    if (res.destroyed) listener()
    else res.once('close', listener)
  }

  beginDelay(): void {
    const bytes = estimateHeaderBytes(this.origin.req)
    this.client.clients.waiting.add(this.client, bytes)
    this.#waitingBytes += bytes
  }

  /** Reads the body for the handlers of the user, which accept a longer one than the sandbox. */
  async readBodyForUser(): Promise<RequestBody> {
    if (hasBody(this.origin.req)) this.#body = await this.#read(this.#drainedBytes)
    return this.#body
  }

  readBody(): Promise<RequestBody> | undefined {
    const body = this.#body
    const limit = this.target.address?.bodyLimit ?? 0
    if (body === undefined) return hasBody(this.origin.req) ? this.#read(limit) : undefined
    const isTooLarge = typeof body === 'object' && body.byteLength > limit
    return Promise.resolve(isTooLarge ? 'too-large' : body)
  }

  /** Size up to which a body is drained, so that the connection stays usable. */
  get #drainedBytes(): number {
    return Math.max(this.parts.limits.bodyBytes, this.target.address?.bodyLimit ?? 0)
  }

  async #read(buffered: number): Promise<RequestBody> {
    // No event would show it again.
    if (this.connection.isAborted) throw new RequestAborted()
    const receive = (bytes: number) => {
      this.client.clients.received.add(this.client, bytes)
      this.#receivedBytes += bytes
    }
    return readBody({ ...this.origin, receive }, { buffered, drained: this.#drainedBytes })
  }

  /** Called when the request has a response. */
  release(): void {
    const { client } = this
    if (this.#receivedBytes > 0) client.clients.received.remove(client, this.#receivedBytes)
    if (this.#waitingBytes > 0) client.clients.waiting.remove(client, this.#waitingBytes)
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}
