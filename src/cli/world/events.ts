import { RemoteError } from '../../control/client/error.js'
import { followEvents } from '../../control/client/events.js'
import { UsageError } from '../../verify/usage-error.js'
import type { WorldSession } from './session.js'
import { toRequestsText } from './texts.js'

/**
 * Prints the requests that a world receives until SIGINT or SIGTERM, or until the reader closes
 * stdout. Opens the stream again when the world has been restarted or evicted.
 *
 * @throws {RemoteError | UsageError} If the sandbox rejects the request or ends the stream for another
 * reason.
 */
export async function printEvents(
  { client, url, terminal, isJson, paint }: WorldSession,
  options: { readonly explain?: boolean },
): Promise<void> {
  const { stdout, stderr } = terminal
  const stopping = new AbortController()
  terminal.onStopSignal(() => stopping.abort())
  let note = `following the requests at ${url}; press Ctrl+C to stop`
  let isOpen = false
  for await (const event of followEvents(client, stopping.signal)) {
    if (event.type === 'open') {
      isOpen = true
      stderr.write(`${note}\n`)
    } else if (event.type === 'request') {
      const { entry } = event
      const text = isJson ? `${JSON.stringify(entry)}\n` : toRequestsText([entry], paint, options)
      stdout.write(text)
      if (stdout.writable === false) return
    } else if (event.type === 'end') {
      isOpen = false
      note = `the world was ${event.reason}; following the requests of the new one`
    } else if (isOpen && event.error instanceof RemoteError) {
      throw new UsageError(
        `the sandbox at ${url} ended the stream of requests; run the command again when the sandbox responds`,
      )
    } else throw event.error
  }
}
