import { RemoteError } from '../../control/client/error.js'
import { truncate } from '../../service/validation/message.js'
import { UsageError } from '../../verify/usage-error.js'
import { escapeResult, escapeText, toRecordedBlock } from './recorded.js'
import type { ToolOutput } from './tool.js'

/** Maximum length of a message of the sandbox, in characters. */
const maximumMessage = 500

/** Runs a tool and converts what it returns or throws to the result of the protocol. */
export async function answer(
  run: () => Promise<ToolOutput>,
  signal: AbortSignal,
  reportError: (error: unknown) => void,
) {
  try {
    signal.throwIfAborted()
    const { text, recorded = [], next, data } = await run()
    const block = recorded.length > 0 ? `\n${toRecordedBlock(recorded)}` : ''
    const content = [{ type: 'text' as const, text: `${text}${block}\nNext: ${next}` }]
    return { content, structuredContent: { ...escapeResult(data), next } }
  } catch (error) {
    const text = signal.aborted ? 'the client has cancelled the call' : toText(error, reportError)
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
}

function toText(error: unknown, reportError: (error: unknown) => void): string {
  if (error instanceof UsageError) return error.message
  if (error instanceof RemoteError) {
    const { message, advice } = error
    // The message has text of the server, and ends with the advice.
    const found = message.slice(0, -`; ${advice}`.length)
    return `${truncate(escapeText(found), maximumMessage)}; ${advice}`
  }
  reportError(error instanceof Error ? error.stack : error)
  return 'a bug in the sandbox; its log on stderr has the details'
}
