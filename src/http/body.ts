import type { IncomingMessage, ServerResponse } from 'node:http'

/** Limits for one body, in bytes. */
export interface BodyBounds {
  /** Largest body that is buffered. A larger one is drained so that the connection stays usable. */
  readonly buffered: number
  /** Largest body that is drained. Reading stops beyond it. */
  readonly drained: number
}

/** A body, or the reason why there is none. */
export type ReadBody = Uint8Array | 'too-large' | 'no-capacity'

/** Reads request bodies, with a limit for their total size in memory. */
export class BodyReader {
  #heldBytes = 0

  /** @param capacity Maximum total size of the bodies of all pending requests, in bytes. */
  constructor(readonly capacity: number) {}

  /**
   * Reads a body. Reads nothing if Content-Length exceeds the limit, and stops reading when the
   * received bytes exceed it. Does not call `done` if the client disconnects.
   */
  read(
    req: IncomingMessage,
    res: ServerResponse,
    bounds: BodyBounds,
    done: (body: ReadBody) => void,
  ): void {
    if (Number(req.headers['content-length'] ?? 0) > bounds.drained) {
      done('too-large')
      return
    }
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    const body = new BodyBuffer(bounds.buffered, (bytes) => {
      this.#heldBytes += bytes
    })
    const onData = (chunk: Buffer) => {
      body.add(chunk)
      const isTooLarge = body.size > bounds.drained
      if (!isTooLarge && this.#heldBytes <= this.capacity) return
      req.off('data', onData).off('end', onEnd).pause()
      body.clear()
      done(isTooLarge ? 'too-large' : 'no-capacity')
    }
    const onEnd = () => done(body.toBytes())
    req.on('data', onData).on('end', onEnd)
    // A client that disconnects is not an error of the server.
    req.on('error', () => {})
    res.once('close', () => body.clear())
  }
}

/** The received chunks of a body. Beyond the limit, only their size is counted. */
class BodyBuffer {
  #chunks: Buffer[] = []
  #heldBytes = 0
  size = 0

  /** @param onHeldChange Called with the change of the number of buffered bytes. */
  constructor(
    readonly limit: number,
    readonly onHeldChange: (bytes: number) => void,
  ) {}

  add(chunk: Buffer): void {
    this.size += chunk.length
    if (this.size > this.limit) {
      this.clear()
      return
    }
    this.#chunks.push(chunk)
    this.#heldBytes = this.size
    this.onHeldChange(chunk.length)
  }

  toBytes(): Uint8Array | 'too-large' {
    return this.size > this.limit ? 'too-large' : Buffer.concat(this.#chunks, this.size)
  }

  clear(): void {
    this.onHeldChange(-this.#heldBytes)
    this.#heldBytes = 0
    this.#chunks = []
  }
}
