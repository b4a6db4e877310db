import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Lease, RequestAborted, type RequestBody } from '../pipeline/message.js'
import type { Connection } from './connections.js'

/** Limits for one body, in bytes. */
export interface BodyBounds {
  /** Largest body that is buffered. A larger one is drained so that the connection stays usable. */
  readonly buffered: number
  /** Largest body that is drained. Reading stops beyond it. */
  readonly drained: number
  /** Number of bytes that are reserved for each byte of the body: copies of it are made. */
  readonly copies: number
}

/** The parts of a received request that reading its body needs. */
export interface BodySource {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly connection: Connection
  /** Accounts for each chunk before it is retained. */
  readonly lease: Lease
}

/**
 * Reads the body of a request. Reads nothing if Content-Length exceeds the limit. Beyond a limit,
 * the rest is drained.
 *
 * @throws {RequestAborted} As a rejection, if the client disconnects.
 * @throws {Problem} sandbox_capacity, as a rejection, if there is no memory for the body.
 */
export function readBody(source: BodySource, bounds: BodyBounds): Promise<RequestBody> {
  const { req, res } = source
  if (Number(req.headers['content-length'] ?? 0) > bounds.drained) {
    return Promise.resolve('too-large')
  }
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
  return new Promise((resolve, reject) => new BodyReading(source, bounds, resolve, reject))
}

/** Reads one body. */
class BodyReading {
  #chunks: Buffer[] = []
  #size = 0
  readonly #stop: () => void

  constructor(
    readonly source: BodySource,
    readonly bounds: BodyBounds,
    readonly resolve: (body: RequestBody) => void,
    readonly reject: (error: unknown) => void,
  ) {
    const { req, connection } = source
    const add = (chunk: Buffer) => this.#add(chunk)
    const end = () => this.#end()
    const removeListener = connection.onAbort(() => this.#fail(new RequestAborted()))
    this.#stop = () => {
      removeListener()
      this.#chunks = []
      // Without the listener, the rest of the body is discarded.
      req.off('data', add).off('end', end).resume()
    }
    // A client that disconnects is not an error of the server.
    req
      .on('error', () => {})
      .on('data', add)
      .on('end', end)
  }

  #add(chunk: Buffer): void {
    const { buffered, drained, copies } = this.bounds
    this.#size += chunk.length
    if (this.#size > drained) {
      this.#stop()
      this.resolve('too-large')
      return
    }
    if (this.#size > buffered) {
      this.#chunks = []
      return
    }
    try {
      this.source.lease.reserve('request bodies', chunk.length * copies)
      this.#chunks.push(chunk)
    } catch (error) {
      this.#fail(error)
    }
  }

  #end(): void {
    const isTooLarge = this.#size > this.bounds.buffered
    const body = isTooLarge ? 'too-large' : Buffer.concat(this.#chunks, this.#size)
    this.#stop()
    this.resolve(body)
  }

  #fail(error: unknown): void {
    this.#stop()
    this.reject(error)
  }
}
