import { requestSchema } from '../../control/requests.js'
import { validate } from '../../validation/validate.js'
import { CliError } from '../cli-error.js'
import { parseJson } from './parse-json.js'
import type { RequestRow } from './text/calls.js'

const prefix = 'data: '

/**
 * The calls in a stream of server-sent events, to its end: the sandbox writes each in one line.
 *
 * @throws {CliError} When an event is no call.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<RequestRow> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of readPieces(stream)) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith(prefix)) yield readCall(line.slice(prefix.length))
    }
  }
}

/** A connection that breaks ends the stream as well. */
async function* readPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch {}
}

function readCall(text: string): RequestRow {
  const result = validate(requestSchema, parseJson(text))
  if (result.ok) return result.value
  throw new CliError(
    'the stream must tell of calls, found another event; is --url a sandbox of this version?',
  )
}
