import type { StreamEnd } from '../../event-feed.js'
import { EventReader } from '../remote/event-reader.js'
import type { ControlClient } from './control-client.js'
import type { JournalEntry } from './control-types.js'
import { ControlFailure, toFailure } from './failure.js'

/** The listeners of a journal stream. */
export interface JournalFollower {
  /** Called when the stream is open. It does not contain earlier entries. */
  onOpen(): void
  onEntry(entry: JournalEntry): void
  /** Called when the world was restarted or evicted. The stream is reopened at once. */
  onRestart(reason: StreamEnd['reason']): void
  /** Called when the stream has failed. It is reopened after a delay unless it needs another key or token. */
  onEnd(failure: ControlFailure): void
}

/** Delays before each attempt to reconnect after a failure, in milliseconds. The last one repeats. */
const delaysMs = [500, 1_000, 2_000, 5_000]

/** Minimum interval between two reconnections after restarts, in milliseconds. */
const restartIntervalMs = 500

/** Streams the journal entries of a world to a follower. Returns a function that stops it. */
export function followJournal(client: ControlClient, follower: JournalFollower): () => void {
  const controller = new AbortController()
  void follow(client, follower, controller.signal)
  return () => controller.abort()
}

async function follow(
  client: ControlClient,
  follower: JournalFollower,
  signal: AbortSignal,
): Promise<void> {
  let attempt = 0
  // Two clients whose worlds evict each other must not reconnect in a loop.
  let interval = Promise.resolve()
  while (!signal.aborted) {
    const end = await readStream(client, signal, {
      ...follower,
      onOpen() {
        attempt = 0
        follower.onOpen()
      },
    })
    if (signal.aborted) return
    if (end instanceof ControlFailure) {
      follower.onEnd(end)
      if (end.needsOtherAccess) return
      await wait(delaysMs[Math.min(attempt, delaysMs.length - 1)] ?? 0)
      attempt += 1
    } else {
      follower.onRestart(end.reason)
      await interval
      interval = wait(restartIntervalMs)
    }
  }
}

/** Reads one stream to its end and returns why it ended. */
async function readStream(
  client: ControlClient,
  signal: AbortSignal,
  follower: Pick<JournalFollower, 'onOpen' | 'onEntry'>,
): Promise<ControlFailure | StreamEnd> {
  try {
    const { body, headers, status } = await client.request('streamEvents', { signal })
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      throw ControlFailure.fromResponse(status, '')
    }
    follower.onOpen()
    const events = new EventReader()
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      for (const { type, data } of events.push(decoder.decode(chunk.value, { stream: true }))) {
        // The data of each type of event has one shape.
        if (type === 'request') follower.onEntry(JSON.parse(data) as JournalEntry)
        if (type === 'end') return JSON.parse(data) as StreamEnd
      }
    }
    return new ControlFailure('unreachable', 'the sandbox ended the event stream')
  } catch (error) {
    return toFailure(error)
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
