import { UsageError } from '../../service/validation/usage-error.js'
import { incompleteCode } from '../http-sender.js'
import { RequestFailure, type Send } from '../request.js'
import { pickHeaders, type Received, readAtMs } from './received.js'

/** How the resources of a deployment are read. */
export interface DeploymentAccess {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  readonly send: Send
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal
  /** Returns the time of this machine in milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Sends a GET request.
 *
 * @param path Path below the base URL.
 * @param maximumBytes Maximum size of the body.
 * @throws {UsageError} If there is no complete response. The message is one line.
 */
export async function readResource(
  { url, apiKey, send, signal, now }: DeploymentAccess,
  path: string,
  maximumBytes: number,
): Promise<Received> {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${apiKey}` }
  const request = { url: `${url}${path}`, method: 'GET', headers, body: undefined, maximumBytes }
  try {
    const { status, headers: all, text, isMasked = false } = await send(request, signal)
    const picked = pickHeaders((name) => all.get(name))
    const atMs = readAtMs(picked, now())
    return { status, headers: picked, body: text, atMs, ...(isMasked && { isMasked }) }
  } catch (error) {
    if (signal.aborted) throw new UsageError('interrupted', incompleteCode)
    if (error instanceof RequestFailure) throw new UsageError(error.message, incompleteCode)
    throw error
  }
}
