import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { startTimer, stopTimer } from '../../service/timers.js'
import type { StreamEnd } from '../event-feed.js'
import type { ControlResult } from '../operations.js'
import type { ControlClient } from './client.js'

/** A journal entry in a response of the control API. */
export type ShownEntry = ControlResult<'listRequests'>[number]

/**
 * An event of the event stream of a world.
 *
 * - `open`: it is open. It contains no earlier entries.
 * - `request`: the world has received a request.
 * - `end`: the world has restarted or was evicted. The stream is opened again at once.
 * - `lost`: the stream has broken, or cannot be opened. It is opened again.
 */
export type StreamEvent =
  | { readonly type: 'open' }
  | { readonly type: 'request'; readonly entry: ShownEntry }
  | ({ readonly type: 'end' } & StreamEnd)
  | { readonly type: 'lost'; readonly error: unknown }

/** Minimum interval between two attempts to open a stream again, in milliseconds. */
const intervalMs = 500

/** A stream without a comment or an event for this time is broken, in milliseconds. */
const idleMs = 45_000

/**
 * Follows the event stream of a world until the signal is aborted. Opens it again when the world
 * restarts or the stream breaks.
 *
 * @param readMissed Returns the missed entries. They precede the entries of an opened stream.
 */
export async function* followEvents(
  client: ControlClient,
  signal: AbortSignal,
  readMissed: () => Promise<readonly ShownEntry[]> = async () => [],
): AsyncGenerator<StreamEvent, void> {
  // Two clients whose worlds evict each other must not reconnect in a loop.
  let interval: Promise<unknown> | undefined
  while (!signal.aborted) {
    try {
      yield* readStream(client, signal, readMissed)
    } catch (error) {
      if (signal.aborted) return
      yield { type: 'lost', error }
    }
    await interval
    interval = new Promise((resolve) => startTimer(resolve, intervalMs))
  }
}

/**
 * Reads one stream until the world restarts or is evicted.
 *
 * @throws {RemoteError} If the stream cannot be opened, or ends for another reason.
 */
async function* readStream(
  client: ControlClient,
  signal: AbortSignal,
  readMissed: () => Promise<readonly ShownEntry[]>,
): AsyncGenerator<StreamEvent, void> {
  const { stream } = await client.request('streamEvents', { signal })
  const reader = stream?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  const decoder = new TextDecoder()
  const arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => arrived.push(message) })
  // A `fetch` of the user may not pass the signal on.
  signal.addEventListener('abort', cancel)
  try {
    const missed = await readMissed()
    yield { type: 'open' }
    for (const entry of missed) yield { type: 'request', entry }
    for (;;) {
      const timer = startTimer(cancel, idleMs)
      const chunk = await reader?.read().catch(() => undefined)
      stopTimer(timer)
      if (!chunk?.value) throw client.toError({ code: 'unreachable' })
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      for (const { event, data } of arrived.splice(0)) {
        if (signal.aborted) return
        if (event === 'request') yield { type: event, entry: JSON.parse(data) as ShownEntry }
        if (event === 'end') {
          yield { type: event, ...(JSON.parse(data) as StreamEnd) }
          return
        }
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
