import type { IncomingMessage, ServerResponse } from 'node:http'

/** How much of a body is kept, and how much is read at all; both in bytes. */
export interface BodyBounds {
  readonly kept: number
  readonly read: number
}

/** A body that was read, or why there is none. */
export type ReadBody = Uint8Array | 'too-large' | 'no-room'

/** Whether a request comes with a body, empty or not. */
export function hasBody(req: IncomingMessage): boolean {
  const { headers } = req
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/** Reads bodies, each within bounds and all within what may be held at once. */
export class BodyReader {
  #held = 0

  /** @param heldLimit Bytes of all bodies whose requests are not answered yet. */
  constructor(readonly heldLimit: number) {}

  /**
   * Reads a body and hands it on. One that announces more than is read is not read at all; of one
   * that turns out to be longer the rest stays unread. When the client goes away in the middle,
   * nothing is handed on.
   */
  read(
    req: IncomingMessage,
    res: ServerResponse,
    bounds: BodyBounds,
    done: (body: ReadBody) => void,
  ): void {
    if (Number(req.headers['content-length'] ?? 0) > bounds.read) {
      done('too-large')
      return
    }
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    const body = new HeldBody(bounds.kept, (bytes) => {
      this.#held += bytes
    })
    const onData = (chunk: Buffer) => {
      body.add(chunk)
      const isTooLarge = body.size > bounds.read
      if (!isTooLarge && this.#held <= this.heldLimit) return
      req.off('data', onData).off('end', onEnd).pause()
      body.drop()
      done(isTooLarge ? 'too-large' : 'no-room')
    }
    const onEnd = () => done(body.take())
    req.on('data', onData).on('end', onEnd)
    // A connection that breaks in the middle is no error of the sandbox.
    req.on('error', () => {})
    res.once('close', () => body.drop())
  }
}

/** What has arrived of a body; past its limit only how much that is. */
class HeldBody {
  #chunks: Buffer[] = []
  #held = 0
  size = 0

  /** @param onHeld Hears by how many bytes more or less are held. */
  constructor(
    readonly limit: number,
    readonly onHeld: (bytes: number) => void,
  ) {}

  add(chunk: Buffer): void {
    this.size += chunk.length
    if (this.size > this.limit) {
      this.drop()
      return
    }
    this.#chunks.push(chunk)
    this.#held = this.size
    this.onHeld(chunk.length)
  }

  take(): Uint8Array | 'too-large' {
    return this.size > this.limit ? 'too-large' : Buffer.concat(this.#chunks, this.size)
  }

  drop(): void {
    this.onHeld(-this.#held)
    this.#held = 0
    this.#chunks = []
  }
}
