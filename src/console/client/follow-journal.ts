import type { ControlClient } from './client.js'
import { EventReader } from './event-reader.js'
import { ControlFailure, toFailure } from './failure.js'
import type { JournalRow } from './shapes.js'

/** What someone who follows a journal is told. */
export interface JournalFollower {
  /** The stream is open: what came before it has to be listed. */
  onOpen(): void
  onRow(row: JournalRow): void
  /** The stream has ended; it is opened again unless the key was refused. */
  onEnd(failure: ControlFailure): void
}

const waitsMs = [500, 1_000, 2_000, 5_000]

/** Follows the calls that reach a world. Returns a function that ends this. */
export function followJournal(client: ControlClient, follower: JournalFollower): () => void {
  const ending = new AbortController()
  void follow(client, follower, ending.signal)
  return () => ending.abort()
}

async function follow(
  client: ControlClient,
  follower: JournalFollower,
  signal: AbortSignal,
): Promise<void> {
  let attempt = 0
  while (!signal.aborted) {
    const failure = await readStream(client, signal, {
      ...follower,
      onOpen() {
        attempt = 0
        follower.onOpen()
      },
    })
    if (signal.aborted) return
    follower.onEnd(failure)
    if (failure.kind === 'refused') return
    await wait(waitsMs[Math.min(attempt, waitsMs.length - 1)] ?? 0)
    attempt += 1
  }
}

async function readStream(
  client: ControlClient,
  signal: AbortSignal,
  follower: Pick<JournalFollower, 'onOpen' | 'onRow'>,
): Promise<ControlFailure> {
  try {
    const stream = await client.events(signal)
    follower.onOpen()
    const events = new EventReader()
    const decoder = new TextDecoder()
    const reader = stream.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      for (const { type, data } of events.push(decoder.decode(piece.value, { stream: true }))) {
        if (type === 'request') follower.onRow(JSON.parse(data) as JournalRow) // its one data type
      }
    }
    return new ControlFailure('unreachable', 'the sandbox has ended the stream of events')
  } catch (error) {
    return toFailure(error)
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
