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
 */
export function writeEvents(
  res: ServerResponse,
  stream: EventStream,
  idleTimeoutMs: number,
  onUnsent: (bytes: number) => void,
): void {
  res.flushHeaders()
  const sink = createSink(res, onUnsent)
  const close = stream(sink)
  const beat = () => sink.send(heartbeat)
  const timer = setInterval(beat, Math.min(idleTimeoutMs / 10, maximumHeartbeatMs))
  res.once('close', () => {
    clearInterval(timer)
    close()
  })
}

/** Writes the events of one turn of the event loop together, as fast as the client reads them. */
function createSink(res: ServerResponse, onUnsent: (bytes: number) => void): EventSink {
  // A separate list: Node takes several milliseconds to destroy a response with many writes.
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  // Whether a turn is scheduled, or the response waits for its client.
  let isBusy = false
  let isEnding = false
  const flush = () => {
    const batch = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    isBusy = batch.length > 0 && !res.write(batch)
    onUnsent(res.writableLength)
    if (isEnding && !isBusy) res.end()
  }
  const schedule = () => {
    if (!isBusy) startImmediate(flush)
    isBusy = true
  }
  res.on('drain', flush)
  return {
    send(bytes) {
      if (isEnding || res.destroyed) return
      waiting.push(bytes)
      waitingBytes += bytes.byteLength
      const unsent = waitingBytes + res.writableLength
      if (unsent > streamBytes) {
        waiting = []
        res.destroy()
        return
      }
      onUnsent(unsent)
      schedule()
    },
    end() {
      isEnding = true
      schedule()
    },
  }
}
