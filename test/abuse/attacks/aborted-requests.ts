import type { Socket } from 'node:net'
import { type Client, inParallel, toRawRequest } from '../client.js'
import { startWatch } from '../programs/watch.js'
import { addresses, defineTrial, type TrialContext } from '../trial.js'

/** Maximum time until the journal shows that a request was aborted, in milliseconds. */
const mostMs = 100
/** Time after which the journal is not read again, in milliseconds of real time. */
const giveUpMs = 1_000

const body = '{"quantity":777}'
const json = 'Content-Type: application/json'

export const abortedRequests = defineTrial({
  name: 'aborted-requests',
  title: `A client disconnects during a delay of its request, or in the middle of an upload. Within ${mostMs} ms, the journal must show the request as aborted.`,
  unit: 'requests',
  attempts: { small: 100, full: 1_000 },
  leavesWorlds: true,
  async run(context) {
    const owner = context.client(addresses.owner)
    let late = 0
    let slowestMs = 0
    await inParallel(context.attempts, 2, context.ending, async (index) => {
      const apiKey = `sbx_free_default_aborted-${index}`
      await disconnect(context, apiKey, index)
      const ms = await waitForEntry(context, owner, apiKey)
      if (context.signal.aborted) return
      context.count()
      slowestMs = Math.max(slowestMs, ms)
      if (ms <= mostMs) return
      late += 1
      context.violation(`request ${index} was not shown as aborted after ${Math.round(ms)} ms`)
    })
    const slowest = slowestMs < giveUpMs ? `${Math.round(slowestMs)} ms` : 'more than a second'
    context.note(`${late} requests were shown too late; the slowest one took ${slowest}.`)
  },
})

/** Sends a request that the server has to wait for, and closes the connection. */
async function disconnect(context: TrialContext, apiKey: string, index: number): Promise<void> {
  const headers = [`Authorization: Bearer ${apiKey}`, json]
  const delayed = toRawRequest('PATCH /v1/inventory/1', [...headers, 'Prefer: delay=30'], body)
  // An upload without its last byte.
  const upload = toRawRequest('PATCH /v1/inventory/1', headers, body).subarray(0, -1)
  const socket = context.socket(addresses.attacker)
  await write(socket, index % 2 === 0 ? delayed : upload)
  await context.pause(context.random.fork(index).int(60))
  socket.destroy()
}

/** Resolves when the bytes are with the operating system, which delivers them before the end. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()))
}

/**
 * Reads the journal until it shows the aborted request. Returns how long that took, in milliseconds
 * without the time in which server and client waited for a processor.
 */
async function waitForEntry(
  context: TrialContext,
  client: Client,
  apiKey: string,
): Promise<number> {
  const readMs = startWatch(context.server.pid)
  const deadline = performance.now() + giveUpMs
  for (;;) {
    const { text } = await client.send({ path: '/sandbox/requests', apiKey })
    const ms = readMs()
    if (text.includes('"aborted":true')) return ms
    if (performance.now() > deadline || context.signal.aborted) return Math.max(ms, giveUpMs)
    await context.pause(5)
  }
}
