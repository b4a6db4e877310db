import { startTimer, stopTimer } from '../../service/timers.js'
import type { StreamEnd } from '../event-feed.js'
import type { ControlResult } from '../operations.js'
import type { ControlClient } from './client.js'

/** A journal entry in a response of the control API. */
export type ShownEntry = ControlResult<'listRequests'>[number]

/** Receives what an event stream contains. */
export interface StreamListener {
  /**
   * Called when a stream is open. It contains no earlier entries. Later ones wait for the promise.
   *
   * @param generation Identifies the run of the world.
   */
  onOpen(generation: string): void | Promise<void>
  onEntry(entry: ShownEntry): void
  /** Called when the world has restarted or was evicted. The stream is opened again at once. */
  onEnd(reason: StreamEnd['reason']): void
  /** Called when the stream has broken, or cannot be opened. Throws, unless it is to be opened again. */
  onFailure(error: unknown): void
}

/** Minimum interval between two attempts to open a stream again, in milliseconds. */
const intervalMs = 500

/** A stream without a comment or an event for this time is broken, in milliseconds. */
const idleMs = 45_000

/**
 * Reads the event stream of a world, and opens it again when the world restarts or the stream breaks.
 * Resolves when the signal is aborted.
 *
 * @throws What `onFailure` throws.
 */
export async function followEvents(
  client: ControlClient,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  // Two clients whose worlds evict each other must not reconnect in a loop.
  let interval = Promise.resolve()
  while (!signal.aborted) {
    try {
      await readStream(client, listener, signal)
    } catch (error) {
      if (signal.aborted) return
      listener.onFailure(error)
    }
    await interval
    interval = pause(intervalMs)
  }
}

/**
 * Reads one stream until the world restarts or is evicted.
 *
 * @throws {RemoteError} If the stream cannot be opened, or ends for another reason.
 */
async function readStream(
  client: ControlClient,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const { stream, generation } = await client.request('streamEvents', { signal })
  const reader = stream?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    await listener.onOpen(generation)
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const timer = startTimer(cancel, idleMs)
      const chunk = await reader?.read().catch(() => undefined)
      stopTimer(timer)
      if (!chunk?.value) throw client.toError({ code: 'unreachable' })
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        // The sandbox sends each field once: an id, the type, and the data in one line of JSON.
        const [, type, data = ''] = /^event: (\w+)\r?\ndata: (.*)/m.exec(block) ?? []
        if (type === 'request') listener.onEntry(JSON.parse(data) as ShownEntry)
        if (type === 'end') return listener.onEnd((JSON.parse(data) as StreamEnd).reason)
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Resolves after a real time in milliseconds. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => startTimer(resolve, ms))
}
