import { setTimeout as sleep } from 'node:timers/promises'
import { type StreamEnd, streamEndSchema } from '../../control/event-feed.js'
import type { ControlOperationId } from '../../control/operations.js'
import { parseJson } from '../../service/json.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { validate } from '../../service/validation/validate.js'
import type { WorldSession } from './session.js'

/** A stream that a command prints. */
interface FollowedStream {
  readonly id: ControlOperationId
  /** Name of the events in messages, such as `requests`. */
  readonly plural: string
  /** Formats the data of an event. */
  readonly toText: (data: string) => string
}

/**
 * Prints the events of a stream until SIGINT or SIGTERM, or until the reader closes stdout. Opens
 * the stream again when the world has been restarted or evicted.
 *
 * @throws {UsageError} If the sandbox rejects the request or ends the stream for another reason.
 */
export async function followStream(session: WorldSession, followed: FollowedStream): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const removeListener = session.terminal.onStopSignal(() => stopping.abort())
  try {
    await printStreams(session, followed, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    removeListener()
    stopping.abort()
  }
}

/** Minimum interval between two reconnections, in milliseconds. */
const restartIntervalMs = 500

async function printStreams(
  session: WorldSession,
  followed: FollowedStream,
  signal: AbortSignal,
): Promise<void> {
  const { client, terminal } = session
  let note = `following the ${followed.plural} at ${client.url}; press Ctrl+C to stop`
  // Two clients whose worlds evict each other must not reconnect in a loop.
  let interval: Promise<unknown> = Promise.resolve()
  for (;;) {
    const stream = await client.open(followed.id, signal)
    terminal.stderr.write(`${note}\n`)
    const end = await printEvents(session, followed, stream)
    if (!end) return
    note = `the world was ${end.reason}; following the ${followed.plural} of the new one`
    await interval
    interval = sleep(restartIntervalMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Prints the events of one stream. Returns the event that ended it, or undefined if the reader has
 * closed stdout.
 *
 * @throws {UsageError} If the stream ends without such an event.
 */
async function printEvents(
  { client, terminal: { stdout } }: WorldSession,
  { plural, toText }: FollowedStream,
  stream: ReadableStream<Uint8Array>,
): Promise<StreamEnd | undefined> {
  for await (const { type, data } of readEvents(stream)) {
    if (type === 'end') return readEnd(data)
    stdout.write(toText(data))
    if (stdout.writable === false) return undefined
  }
  throw new UsageError(
    `the sandbox at ${client.url} ended the stream of ${plural}; run the command again when the sandbox responds`,
  )
}

function readEnd(data: string): StreamEnd {
  const result = validate(streamEndSchema, parseJson(data))
  if (result.ok) return result.value
  throw new UsageError(
    'the data of the event "end" must have a reason and a generation, found other data; check that --url is a sandbox of this version',
  )
}

/** Yields each server-sent event. The sandbox sends the type before the data, which is one line. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ type: string; data: string }> {
  let rest = ''
  let type = ''
  const decoder = new TextDecoder()
  for await (const chunk of readChunks(stream)) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') type = ''
      else if (line.startsWith('event: ')) type = line.slice('event: '.length)
      else if (line.startsWith('data: ')) yield { type, data: line.slice('data: '.length) }
    }
  }
}

/** Yields the chunks of a stream, and treats a broken connection as its end. */
async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch {}
}
