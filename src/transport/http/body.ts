import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestAborted, type RequestBody } from '../../engine/exchange.js'
import { Problem } from '../../service/errors.js'

/** How one body is read. Limits are in bytes. */
export interface BodyReading {
  /** Largest body that is buffered. A larger one is drained so that the connection stays usable. */
  readonly buffered: number
  /** Largest body that is drained. Reading stops beyond it. */
  readonly drained: number
  /** Whether to send `100 Continue` to a client that waits for it. */
  readonly sendsContinue: boolean
}

/**
 * Reads the body of a request that has one. Reads nothing if Content-Length exceeds the limit.
 *
 * @param receive Called before more bytes are retained. May throw an error.
 * @throws {RequestAborted} As a rejection, if the client disconnects.
 * @throws {Problem} As a rejection, if the body is not available. Also what `receive` throws.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  { buffered, drained, sendsContinue }: BodyReading,
  receive: (bytes: number) => void,
): Promise<RequestBody> {
  if (req.readableDidRead) return findReadBody(req)
  // No event would show it again.
  if (req.socket.destroyed || res.headersSent) throw new RequestAborted()
  const { expect, 'content-length': stated = Number.POSITIVE_INFINITY } = req.headers
  const length = Number(stated)
  if (Number.isFinite(length) && length > drained) return 'too-large'
  if (sendsContinue && expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
  // One buffer, because each of many short chunks would need more memory than its bytes.
  let buffer: Buffer = Buffer.alloc(0)
  let size = 0
  const add = (chunk: Buffer) => {
    const start = size
    size += chunk.length
    if (size > buffered) return size <= drained
    if (size > buffer.length) {
      const longest = Math.min(buffered, length)
      const newLength = Math.min(Math.max(size, 2 * buffer.length), longest)
      receive(newLength - buffer.length)
      buffer = Buffer.concat([buffer], newLength)
    }
    chunk.copy(buffer, start)
    return true
  }
  await forEachChunk(req, add)
  return size > buffered ? 'too-large' : buffer.subarray(0, size)
}

/** Passes the chunks to `add` until it returns false, and discards the rest. */
function forEachChunk(req: IncomingMessage, add: (chunk: Buffer) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => req.off('data', read).off('end', end).off('close', abort).resume()
    const end = () => {
      stop()
      resolve()
    }
    const fail = (error: unknown) => {
      stop()
      reject(error)
    }
    const abort = () => fail(new RequestAborted())
    const read = (chunk: Buffer) => {
      try {
        if (!add(chunk)) end()
      } catch (error) {
        fail(error)
      }
    }
    // Emitted if the client disconnects, or sends the rest of a request that is malformed.
    req.on('error', abort)
    req.on('close', abort).on('data', read).on('end', end)
  })
}

/**
 * Returns the body that a body parser has read before the sandbox.
 *
 * @throws {Problem} internal_error, if the parser has not left the bytes that the client sent.
 */
function findReadBody(req: IncomingMessage): Uint8Array {
  const { body } = req as { readonly body?: unknown } // set by body parsers
  if (body instanceof Uint8Array) return body
  throw new Problem(
    'internal_error',
    'a body parser has read the body before the sandbox; mount the sandbox before express.json() and other parsers',
  )
}
