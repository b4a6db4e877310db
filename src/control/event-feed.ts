import type { RecordedEntry } from '../world/journal/entry.js'
import type { Journal } from '../world/journal/journal.js'

/** Receives the chunks of one stream of server-sent events. */
export interface EventSink {
  /** Sends a chunk. All streams of a world share its bytes, which must not be changed. */
  send(chunk: Uint8Array): void
  /** Ends the stream. */
  end(): void
}

/** Opens a stream of server-sent events. Returns a function that closes it. */
export type EventStream = (sink: EventSink) => () => void

/** The data of the event `end`: why the sandbox ended the streams of a world. */
export interface StreamEnd {
  readonly reason: 'restarted' | 'evicted'
  /** Generation of the restarted world; null for an evicted one. */
  readonly generation: number | null
}

const encoder = new TextEncoder()
const opening = encoder.encode(': the requests that reach this world\n\n')

/**
 * The event streams of one world. Each event is serialized and encoded once for all streams, and
 * not at all if no stream is open.
 */
export class EventFeed {
  readonly #sinks = new Set<EventSink>()
  #unsubscribe: (() => void) | undefined
  /** The last event of every later stream. Undefined until the world is closed. */
  #last: Uint8Array | undefined

  constructor(readonly journal: Journal) {}

  /**
   * Opens a stream. Returns a function that closes it.
   *
   * @param toData Converts an entry to the JSON of its event. The same for all streams of a world.
   */
  open(sink: EventSink, toData: (entry: RecordedEntry) => unknown): () => void {
    sink.send(opening)
    this.#sinks.add(sink)
    this.#unsubscribe ??= this.journal.subscribe((entry) => {
      const event = toEvent('request', toData(entry), entry.id)
      for (const open of this.#sinks) open.send(event)
    })
    if (this.#last) this.#endAll(this.#last)
    return () => this.#remove(sink)
  }

  /** Ends all streams, because the world restarted. */
  restart(generation: number): void {
    this.#endAll(toEvent('end', { reason: 'restarted', generation } satisfies StreamEnd))
  }

  /** Ends all streams, and each later stream when it is opened, because the world was evicted. */
  close(): void {
    this.#last = toEvent('end', { reason: 'evicted', generation: null } satisfies StreamEnd)
    this.#endAll(this.#last)
  }

  #endAll(event: Uint8Array): void {
    // A sink that ends may open another one.
    for (const sink of [...this.#sinks]) {
      this.#remove(sink)
      sink.send(event)
      sink.end()
    }
  }

  #remove(sink: EventSink): void {
    this.#sinks.delete(sink)
    if (this.#sinks.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }
}

function toEvent(type: string, data: unknown, id?: number): Uint8Array {
  const name = id === undefined ? `event: ${type}` : `id: ${id}\nevent: ${type}`
  return encoder.encode(`${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
