import { setTimeout as sleep } from 'node:timers/promises'
import { RawClient } from '../../support/raw-client.js'
import { type ParsedResponse, parseResponse } from '../../support/raw-response.js'
import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'
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
      const received = await exchange(context.server.port, sent)
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
  readonly responses: readonly ParsedResponse[]
  readonly problem?: string
}

/** Sends bytes on a new connection and receives the responses. */
async function exchange(port: number, sent: Buffer): Promise<Received> {
  const client = new RawClient(port, addresses.attacker).send(sent)
  const mayBeHead = sent.includes('HEAD')
  const wait = (ms: number) => Promise.race([client.more(), sleep(ms, false)])
  const isDone = () => client.cause !== undefined || hasResponse(parse(client, mayBeHead))
  try {
    while ((await wait(quietMs)) && !isDone());
    if (!isDone()) {
      // The request is incomplete: the server has to answer or to close the connection now.
      client.end()
      const deadline = performance.now() + closeMs
      while (!isDone() && performance.now() < deadline) await wait(quietMs)
    }
    if (!isDone()) return { responses: [], problem: 'no response, and the connection stays open' }
    // Further responses, if the bytes were several requests.
    await wait(pipelinedMs)
    return { responses: parse(client, mayBeHead).responses }
  } catch (error) {
    return { responses: [], problem: `not HTTP: ${error}` }
  } finally {
    client.abort()
  }
}

function hasResponse({ responses, isIncomplete }: ParsedResponses): boolean {
  return !isIncomplete && responses.some(({ status }) => status >= 200)
}

/** The responses on one connection. */
interface ParsedResponses {
  readonly responses: readonly ParsedResponse[]
  /** Whether the last response is incomplete. */
  readonly isIncomplete: boolean
}

/**
 * Parses what a client has received.
 *
 * @param mayBeHead Whether a response may have no body, because the request may be HEAD.
 * @throws {Error} If the bytes are not a sequence of responses.
 */
function parse({ rest, cause }: RawClient, mayBeHead: boolean): ParsedResponses {
  const bytes = Buffer.from(rest, 'latin1')
  if (mayBeHead) {
    try {
      return parseAll(bytes, true, cause !== undefined)
    } catch {
      // The word HEAD was somewhere else in the request.
    }
  }
  return parseAll(bytes, false, cause !== undefined)
}

function parseAll(bytes: Buffer, isHead: boolean, isClosed: boolean): ParsedResponses {
  const responses: ParsedResponse[] = []
  for (let at = 0; at < bytes.length; ) {
    const response = parseResponse(bytes.subarray(at), isHead, isClosed)
    if (!response?.isComplete) return { responses, isIncomplete: true }
    responses.push(response)
    at += response.length
  }
  return { responses, isIncomplete: false }
}

/** Returns what is wrong with a response; undefined if nothing is. */
function findProblem(responses: readonly ParsedResponse[], mayBeHead: boolean): string | undefined {
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
