import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestAborted, type RequestBody } from '../../engine/message.js'
import type { Connection } from './connections.js'

/** Limits for one body, in bytes. */
export interface BodyBounds {
  /** Largest body that is buffered. A larger one is drained so that the connection stays usable. */
  readonly buffered: number
  /** Largest body that is drained. Reading stops beyond it. */
  readonly drained: number
}

/** The parts of a received request that reading its body needs. */
export interface BodySource {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly connection: Connection
  /**
   * Called before more bytes are retained.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for them.
   */
  receive(bytes: number): void
}

/**
 * Reads the body of a request. Reads nothing if Content-Length exceeds the limit. Beyond a limit,
 * the rest is drained.
 *
 * @throws {RequestAborted} As a rejection, if the client disconnects.
 * @throws {Problem} sandbox_capacity, as a rejection, if there is no room for the body.
 */
export function readBody(source: BodySource, bounds: BodyBounds): Promise<RequestBody> {
  const { req, res } = source
  if (Number(req.headers['content-length'] ?? 0) > bounds.drained) {
    return Promise.resolve('too-large')
  }
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
  return new Promise((resolve, reject) => collect(source, bounds, resolve, reject))
}

function collect(
  source: BodySource,
  { buffered, drained }: BodyBounds,
  resolve: (body: RequestBody) => void,
  reject: (error: unknown) => void,
): void {
  const { req, connection } = source
  // One buffer, because each of many short chunks would need more memory than its bytes.
  let buffer: Buffer = noBytes
  let size = 0
  const stated = req.headers['content-length']
  const longest = stated === undefined ? buffered : Math.min(buffered, Number(stated))
  const stop = () => {
    removeListener()
    // Without the listener, the rest of the body is discarded.
    req.off('data', add).off('end', end).resume()
  }
  const fail = (error: unknown) => {
    stop()
    reject(error)
  }
  const add = (chunk: Buffer) => {
    const start = size
    size += chunk.length
    if (size > drained) {
      stop()
      resolve('too-large')
      return
    }
    if (size > buffered) {
      buffer = noBytes
      return
    }
    try {
      if (size > buffer.length) {
        const length = Math.min(Math.max(size, 2 * buffer.length), longest)
        source.receive(length - buffer.length)
        buffer = Buffer.concat([buffer], length)
      }
      chunk.copy(buffer, start)
    } catch (error) {
      fail(error)
    }
  }
  const end = () => {
    stop()
    resolve(size > buffered ? 'too-large' : buffer.subarray(0, size))
  }
  const removeListener = connection.onAbort(() => fail(new RequestAborted()))
  // A client that disconnects is not an error of the server.
  req
    .on('error', () => {})
    .on('data', add)
    .on('end', end)
}

const noBytes = Buffer.alloc(0)
