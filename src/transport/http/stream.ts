import type { ServerResponse } from 'node:http'
import type { EventSink, EventStream } from '../../control/event-feed.js'
import { streamBytes } from '../../service/bounds.js'
import { startImmediate } from '../../service/timers.js'

/** Runs tasks that never throw in the next turns of the event loop: a limited number in each. */
class TurnQueue {
  readonly #tasks: (() => void)[] = []

  constructor(readonly perTurn: number) {}

  add(task: () => void): void {
    this.#tasks.push(task)
    if (this.#tasks.length === 1) startImmediate(this.#run)
  }

  readonly #run = (): void => {
    const due = this.#tasks.slice(0, this.perTurn)
    for (const task of due) task()
    // Removed afterwards, so that a task that adds another does not schedule a second turn.
    this.#tasks.splice(0, due.length)
    if (this.#tasks.length > 0) startImmediate(this.#run)
  }
}

/** Maximum interval of the comments that keep an event stream open, in milliseconds. */
const maximumHeartbeatMs = 15_000
const heartbeat = Buffer.from(':\n\n')

/** Maximum size of the events that are written together, in bytes. */
const batchBytes = 65_536

/** Maximum number of streams that are written to in one turn of the event loop. */
const streamsPerTurn = 16

/** Writes the event streams of a server. */
export class EventStreamWriter {
  readonly #queue = new TurnQueue(streamsPerTurn)

  /**
   * Sends events until the stream ends or the client disconnects. Destroys the response of a client
   * that is too far behind.
   *
   * @param idleTimeoutMs Time without traffic after which a connection is closed, in milliseconds.
   * @param onUnsent Called with the number of bytes that have not been sent.
   * @param backlog Maximum number of unsent bytes.
   */
  write(
    res: ServerResponse,
    stream: EventStream,
    idleTimeoutMs: number,
    onUnsent: (bytes: number) => void,
    backlog = streamBytes,
  ): void {
    res.flushHeaders()
    const writer = new EventWriter(res, backlog, this.#queue, onUnsent)
    const close = stream(writer)
    const beat = () => writer.send(heartbeat)
    const timer = setInterval(beat, Math.min(idleTimeoutMs / 10, maximumHeartbeatMs))
    onceClosed(res, () => {
      clearInterval(timer)
      close()
    })
  }
}

/**
 * Writes events as fast as the client reads them: those of one turn of the event loop together.
 * Waiting events are in a list of its own: to destroy a response with many waiting writes takes
 * Node several milliseconds.
 */
class EventWriter implements EventSink {
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** Whether a turn is scheduled, or the response waits for its client. */
  #isBusy = false
  #isEnding = false

  constructor(
    readonly res: ServerResponse,
    readonly backlog: number,
    readonly queue: TurnQueue,
    readonly onUnsent: (bytes: number) => void,
  ) {
    res.on('drain', () => {
      this.#isBusy = false
      this.#schedule()
    })
  }

  send(bytes: Uint8Array): void {
    const { res, backlog } = this
    if (this.#isEnding || res.destroyed) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.byteLength
    if (this.#waitingBytes + res.writableLength > backlog) {
      this.#waiting = []
      res.destroy()
      return
    }
    this.#schedule()
    this.onUnsent(this.#waitingBytes + res.writableLength)
  }

  end(): void {
    this.#isEnding = true
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    this.queue.add(() => this.#flush())
  }

  #flush(): void {
    this.#isBusy = false
    const batch = this.#takeBatch()
    if (batch.length > 0) this.#isBusy = !this.res.write(Buffer.concat(batch))
    this.onUnsent(this.#waitingBytes + this.res.writableLength)
    if (this.#waiting.length > 0) this.#schedule()
    else if (this.#isEnding) this.res.end()
  }

  #takeBatch(): Uint8Array[] {
    let count = 0
    let bytes = 0
    for (const event of this.#waiting) {
      if (bytes >= batchBytes) break
      count += 1
      bytes += event.byteLength
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }
}

/**
 * Calls the action once the response has been sent or its connection is closed. Node emits no
 * `close` event for a pipelined response whose turn has not come.
 */
function onceClosed(res: ServerResponse, action: () => void): void {
  const { socket } = res.req
  let isClosed = false
  const close = () => {
    socket.off('close', close)
    if (!isClosed) action()
    isClosed = true
  }
  res.once('close', close)
  socket.once('close', close)
}
