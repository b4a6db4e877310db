import type { Socket } from 'node:net'
import { inParallel, toRawRequest, waitFor } from './client.js'
import { addresses, type TrialContext } from './trial.js'

/** Requests that are sent without waiting for their responses. */
export interface Flood {
  /** Such as `POST /quickstart/messages`. */
  readonly line: string
  readonly headers?: readonly string[]
  /** Returns the key of a connection, by its index. */
  readonly apiKey: (connection: number) => string
  readonly body?: string
  /** Number of requests on each connection. */
  readonly perConnection: number
  /** Maximum number of connections at the same time. */
  readonly connections: number
}

/** Requests on a connection without a response. The server closes a connection on which more wait. */
const maximumUnanswered = 24

/** Pipelines requests until the attempts of the trial are made, and counts the responses. */
export async function flood(context: TrialContext, options: Flood): Promise<void> {
  const { perConnection, connections } = options
  const count = Math.ceil(context.attempts / perConnection)
  await inParallel(count, connections, context.ending, (index) => pipeline(context, index, options))
}

/** Sends the requests of one connection. Resolves when it is closed. */
function pipeline(
  context: TrialContext,
  index: number,
  { line, headers = [], apiKey, body = '', perConnection }: Flood,
): Promise<void> {
  const authorization = `Authorization: Bearer ${apiKey(index)}`
  const type = body === '' ? [] : ['Content-Type: application/json']
  const all = [authorization, ...type, ...headers]
  const request = toRawRequest(line, all, body)
  const last = toRawRequest(line, ['Connection: close', ...all], body)
  const socket = context.socket(addresses.attacker)
  let sent = 0
  let answered = 0
  const send = () => {
    while (sent < perConnection && sent - answered < maximumUnanswered) {
      sent += 1
      socket.write(sent < perConnection ? request : last)
    }
  }
  readStatuses(socket, (status) => {
    answered += 1
    context.count()
    if (status === 500) context.violation(`${line} responded with 500`)
    send()
  })
  send()
  socket.on('end', () => socket.end())
  // The server may take longer for a connection than the trial lasts.
  context.ending.addEventListener('abort', () => socket.destroy(), { once: true })
  return waitFor(socket, 'close')
}

/** Calls the listener with the status of each response, none of which has a status line in its body. */
function readStatuses(socket: Socket, listener: (status: number) => void): void {
  // The end of the previous chunk, which is shorter than what is searched for.
  let rest = ''
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1')
    rest = text.slice(-11)
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) listener(Number(status))
  })
}
