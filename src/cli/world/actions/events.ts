import { streamEvents } from '../../../control/events.js'
import { CliError } from '../../cli-error.js'
import { readEvents } from '../read-calls.js'
import type { WorldAction } from '../runner.js'
import type { WorldSession } from '../session.js'
import { type RequestRow, toRequestText } from '../text/calls.js'

/** Prints each call as it is answered, until a signal to stop or until nobody reads any more. */
export const followEvents: WorldAction = async (session, command) => {
  const { explain = false }: { explain?: boolean } = command.opts()
  const leaving = new AbortController()
  const ignoreSignals = session.terminal.onStopSignal(() => leaving.abort())
  try {
    await follow(session, explain, leaving.signal)
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    ignoreSignals()
  }
}

async function follow(session: WorldSession, isExplained: boolean, signal: AbortSignal) {
  const { client, terminal, isJson, paint } = session
  const toText = (row: RequestRow) =>
    isJson ? `${JSON.stringify(row)}\n` : toRequestText(row, isExplained, paint)
  const stream = await client.open(streamEvents, signal)
  terminal.stderr.write(`following the calls at ${client.url}; Ctrl+C ends\n`)
  for await (const row of readEvents(stream)) {
    terminal.stdout.write(toText(row))
    if (terminal.stdout.writable === false) return
  }
  const nextStep = 'follow them again once it is back'
  throw new CliError(`the sandbox at ${client.url} ended the stream of calls; ${nextStep}`)
}
