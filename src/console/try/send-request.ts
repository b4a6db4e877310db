import type { RealRequest } from './real-request.js'

/** What came of a request: an answer, whole or broken off, or none. */
export interface Outcome {
  /** Undefined when the connection broke before an answer. */
  readonly status?: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Why there is less than an answer. */
  readonly failure?: string
}

/** Sends a request as any client would. Never rejects. */
export async function sendRequest(
  { url, ...init }: RealRequest,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Outcome> {
  let answer: Response
  try {
    answer = await send(url, { ...init, cache: 'no-store' })
  } catch {
    return { headers: [], body: '', failure: noAnswer }
  }
  const head = { status: answer.status, headers: Array.from(answer.headers) }
  try {
    return { ...head, body: await answer.text() }
  } catch {
    return { ...head, body: '', failure: brokenOff }
  }
}

const noAnswer =
  'The connection broke before an answer came: a fault of type reset does this, or the sandbox has stopped.'
const brokenOff =
  'The connection broke in the middle of the body: a fault of type truncate does this.'
