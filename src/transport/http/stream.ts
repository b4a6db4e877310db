import type { ServerResponse } from 'node:http'
import type { EventSink, EventStream } from '../../control/event-feed.js'
import { streamBytes } from '../../service/bounds.js'
import { startImmediate } from '../../service/timers.js'

/** Maximum interval of the comments that keep an event stream open, in milliseconds. */
const maximumHeartbeatMs = 15_000
const heartbeat = Buffer.from(':\n\n')

/**
 * Sends events until the stream ends or the client disconnects. Destroys the response of a client
 * that is too far behind.
 *
 * @param idleTimeoutMs Time without traffic after which a connection is closed, in milliseconds.
 * @param onUnsent Called with the number of bytes that have not been sent.
 * @param backlog Maximum number of unsent bytes.
 */
export function writeEvents(
  res: ServerResponse,
  stream: EventStream,
  idleTimeoutMs: number,
  onUnsent: (bytes: number) => void,
  backlog = streamBytes,
): void {
  res.flushHeaders()
  const writer = new EventWriter(res, backlog, onUnsent)
  const close = stream(writer)
  const beat = () => writer.send(heartbeat)
  const timer = setInterval(beat, Math.min(idleTimeoutMs / 10, maximumHeartbeatMs))
  res.once('close', () => {
    clearInterval(timer)
    close()
  })
}

/** Writes the events of one turn of the event loop together, as fast as the client reads them. */
class EventWriter implements EventSink {
  /** A list of its own: Node takes several milliseconds to destroy a response with many writes. */
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** Whether a turn is scheduled, or the response waits for its client. */
  #isBusy = false
  #isEnding = false

  constructor(
    readonly res: ServerResponse,
    readonly backlog: number,
    readonly onUnsent: (bytes: number) => void,
  ) {
    res.on('drain', () => this.#flush())
  }

  send(bytes: Uint8Array): void {
    const { res, backlog } = this
    if (this.#isEnding || res.destroyed) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.byteLength
    const unsent = this.#waitingBytes + res.writableLength
    if (unsent > backlog) {
      this.#waiting = []
      res.destroy()
      return
    }
    this.onUnsent(unsent)
    this.#schedule()
  }

  end(): void {
    this.#isEnding = true
    this.#schedule()
  }

  #schedule(): void {
    if (!this.#isBusy) startImmediate(() => this.#flush())
    this.#isBusy = true
  }

  #flush(): void {
    const { res } = this
    const batch = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    this.#isBusy = batch.length > 0 && !res.write(batch)
    this.onUnsent(res.writableLength)
    if (this.#isEnding && !this.#isBusy) res.end()
  }
}
