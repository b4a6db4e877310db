import type { Socket } from 'node:net'
import { inParallel } from '../client.js'
import { addresses, defineTrial, type TrialContext } from '../trial.js'
import { type ParsedResponses, parseResponses, type RawResponse } from './http-response.js'
import { generateMutation } from './mutate.js'

/** Time without a response after which the client closes its side, in milliseconds. */
const quietMs = 250
/** Time for the server to close the connection afterwards, in milliseconds. */
const closeMs = 20_000
/** Time for the responses to further requests on a connection, in milliseconds. */
const pipelinedMs = 25

export const mutations = defineTrial({
  name: 'mutations',
  title:
    'Valid requests of every operation with one to three random changes, over raw sockets. Each response must be valid HTTP, each error must have an Error body, and none may have an unexpected 5xx status.',
  unit: 'requests',
  attempts: { small: 1_500, full: 10_000 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    const statuses = new Map<number, number>()
    let silent = 0
    await inParallel(context.attempts, 60, context.ending, async (index) => {
      const random = context.random.fork(index)
      const sent = generateMutation(random, index)
      const received = await exchange(context, sent)
      if (context.signal.aborted) return
      context.count()
      const { responses } = received
      if (responses.length === 0) silent += 1
      for (const response of responses) {
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
      const problem = received.problem ?? findProblem(responses, sent.includes('HEAD'))
      if (problem === undefined) return
      const request = JSON.stringify(sent.toString('latin1').slice(0, 500))
      context.violation(`case ${index}: ${problem}; request: ${request}`)
    })
    const counts = [...statuses].toSorted(([a], [b]) => a - b)
    const list = counts.map(([status, count]) => `${count} × ${status}`).join(', ')
    context.note(`Responses by status: ${list}; ${silent} incomplete requests without a response.`)
  },
})

interface Received {
  readonly responses: readonly RawResponse[]
  readonly problem?: string
}

/** Sends bytes on a new connection and receives the responses. */
async function exchange(context: TrialContext, sent: Buffer): Promise<Received> {
  const connection = new Connection(context.socket(addresses.attacker), sent.includes('HEAD'))
  try {
    connection.socket.write(sent)
    while ((await connection.wait(quietMs)) && !connection.isDone);
    if (!connection.isDone) {
      // The request is incomplete: the server has to answer or to close the connection now.
      connection.socket.end()
      const deadline = performance.now() + closeMs
      while (!connection.isDone && performance.now() < deadline) await connection.wait(quietMs)
    }
    if (!connection.isDone) {
      return { responses: [], problem: 'no response, and the connection stays open' }
    }
    // Further responses, if the bytes were several requests.
    await connection.wait(pipelinedMs)
    return { responses: connection.parse().responses }
  } catch (error) {
    return { responses: [], problem: `not HTTP: ${error}` }
  } finally {
    connection.socket.destroy()
  }
}

/** A connection that collects what the server sends. */
class Connection {
  #bytes = Buffer.alloc(0)
  #isClosed = false
  #wake = () => {}

  /** @param mayBeHead Whether a response may have no body, because the request may be HEAD. */
  constructor(
    readonly socket: Socket,
    readonly mayBeHead: boolean,
  ) {
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake()
    })
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  /** Whether the connection is closed or a whole response has arrived. */
  get isDone(): boolean {
    if (this.#isClosed) return true
    const { responses, isIncomplete } = this.parse()
    return !isIncomplete && responses.some(({ status }) => status >= 200)
  }

  /** Waits for more bytes, at most this time. Returns whether something has arrived. */
  wait(ms: number): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** @throws {Error} If the bytes are not a sequence of responses. */
  parse(): ParsedResponses {
    if (this.mayBeHead) {
      try {
        return parseResponses(this.#bytes, true, this.#isClosed)
      } catch {
        // The word HEAD was somewhere else in the request.
      }
    }
    return parseResponses(this.#bytes, false, this.#isClosed)
  }
}

/** Returns what is wrong with a response; undefined if nothing is. */
function findProblem(responses: readonly RawResponse[], mayBeHead: boolean): string | undefined {
  for (const { status, headers, body } of responses) {
    const text = body.toString('utf8')
    const isWithoutBody = mayBeHead && text === ''
    if (status >= 400 && !isWithoutBody && !isErrorBody(text, status)) {
      return `${status} without an Error body: ${text.slice(0, 200)}`
    }
    if (status < 500 || isWithoutBody || text.includes('"message":"requested by Prefer: ')) continue
    const isCapacity = text.includes('"sandbox_capacity"') && headers.has('retry-after')
    if (!isCapacity) return `unexpected ${status}: ${text.slice(0, 200)}`
  }
  return undefined
}

/** Whether a body has exactly the fields of an Error body (spec §2). */
function isErrorBody(text: string, status: number): boolean {
  try {
    const body = JSON.parse(text)
    const names = Object.keys(body).toSorted().join()
    const isTyped = typeof body.code === 'string' && typeof body.message === 'string'
    return names === 'code,message,status' && isTyped && body.status === status
  } catch {
    return false
  }
}
