import type { Socket } from 'node:net'
import { inParallel, toRawRequest } from './client.js'
import { addresses, type TrialContext } from './trial.js'

/** Requests that are sent without waiting for their responses. */
interface Flood {
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

/** Pipelines requests until the attempts of the trial are made, and reads the responses. */
export async function flood(context: TrialContext, options: Flood): Promise<void> {
  const { perConnection, connections } = options
  const count = Math.ceil(context.attempts / perConnection)
  await inParallel(count, connections, context.ending, async (index) => {
    const answered = await pipeline(context, index, options)
    context.count(answered.length)
    if (answered.includes(500)) context.violation(`${options.line} responded with 500`)
  })
}

/** Returns the statuses of the responses on one connection. */
async function pipeline(
  context: TrialContext,
  index: number,
  { line, headers = [], apiKey, body = '', perConnection }: Flood,
): Promise<number[]> {
  const authorization = `Authorization: Bearer ${apiKey(index)}`
  const type = body === '' ? [] : ['Content-Type: application/json']
  const all = [authorization, ...type, ...headers]
  const request = toRawRequest(line, all, body)
  const last = toRawRequest(line, ['Connection: close', ...all], body)
  const statuses: number[] = []
  const socket = context.socket(addresses.attacker)
  socket.on('data', (chunk) => {
    for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      statuses.push(Number(status))
    }
  })
  socket.on('end', () => socket.end())
  const closed = waitFor(socket, 'close')
  for (let sent = 1; sent < perConnection && !socket.destroyed; sent++) {
    if (!socket.write(request)) await Promise.race([waitFor(socket, 'drain'), closed])
  }
  if (!socket.destroyed) socket.write(last)
  await closed
  return statuses
}

/** Unlike `once` of node:events, does not reject on an error, which closes the socket. */
function waitFor(socket: Socket, event: 'drain' | 'close'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()))
}
