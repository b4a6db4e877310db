import type { ControlOperationId } from '../../control/operations.js'
import { CliError } from '../failure.js'
import type { WorldSession } from './session.js'

/**
 * Prints the events of a stream until SIGINT or SIGTERM, or until the reader closes stdout.
 *
 * @param plural Name of the events in messages, such as `requests`.
 * @param toText Formats the data of an event.
 * @throws {CliError} If the sandbox rejects the request or ends the stream.
 */
export async function followStream(
  session: WorldSession,
  id: ControlOperationId,
  plural: string,
  toText: (data: string) => string,
): Promise<void> {
  const stopping = new AbortController()
  const removeListener = session.terminal.onStopSignal(() => stopping.abort())
  try {
    await printEvents(session, id, plural, toText, stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    removeListener()
  }
}

async function printEvents(
  { client, terminal: { stdout, stderr } }: WorldSession,
  id: ControlOperationId,
  plural: string,
  toText: (data: string) => string,
  signal: AbortSignal,
): Promise<void> {
  const stream = await client.open(id, signal)
  stderr.write(`following the ${plural} at ${client.url}; press Ctrl+C to stop\n`)
  for await (const data of readEvents(stream)) {
    stdout.write(toText(data))
    if (stdout.writable === false) return
  }
  throw new CliError(
    `the sandbox at ${client.url} ended the stream of ${plural}; run the command again when the sandbox responds`,
  )
}

const prefix = 'data: '

/** Yields the data of each server-sent event. The sandbox sends it in one line. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of readChunks(stream)) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith(prefix)) yield line.slice(prefix.length)
    }
  }
}

/** Yields the chunks of a stream, and treats a broken connection as its end. */
async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch {}
}
