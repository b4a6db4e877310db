import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { readErrorField } from '../../validation/message.js'
import { RequestFailure, type Send, type SentRequest } from '../../verify/session.js'

/** A response with a larger body is not read to its end. */
const maximumBodyBytes = 16 * 2 ** 20
/** A response with a larger header section is rejected. */
const maximumHeaderBytes = 64 * 2 ** 10

/** Sends requests over HTTP until it is closed. */
export interface HttpSender {
  readonly send: Send
  close(): void
}

type Received = Awaited<ReturnType<Send>>

/**
 * Creates a sender that follows no redirect, and that accepts no endless response.
 *
 * @param timeoutMs Time from the start of a request to the end of its response.
 */
export function createHttpSender(timeoutMs: number): HttpSender {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  } as const
  const sendOnce = (request: SentRequest, signal: AbortSignal) => {
    const { protocol } = new URL(request.url)
    return exchange(request, signal, agents[protocol === 'https:' ? 'https:' : 'http:'])
  }
  return {
    async send(request, stop) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = stop ? AbortSignal.any([stop, timeout]) : timeout
      try {
        // A server may close a connection while the next request is sent on it.
        return await sendOnce(request, signal).catch((error: unknown) => {
          if (error instanceof StaleConnection) return sendOnce(request, signal)
          throw error
        })
      } catch (error) {
        const reason = timeout.aborted
          ? `no response within ${timeoutMs / 1000} s`
          : toReason(error)
        throw new RequestFailure(`${request.method} ${request.url}: ${reason}`)
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The server closed a connection that it had kept open for the next request. */
class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function exchange(
  { url, method, headers, body }: SentRequest,
  signal: AbortSignal,
  agent: http.Agent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { request: start } = agent instanceof https.Agent ? https : http
    const sent = start(url, {
      method,
      headers: { ...headers, 'User-Agent': 'petstore-sandbox verify' },
      // A message must not be sent twice.
      agent: method === 'POST' ? false : agent,
      maxHeaderSize: maximumHeaderBytes,
      signal,
    })
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && readErrorField(error, 'code') === 'ECONNRESET'
      reject(isStale ? new StaleConnection('ECONNRESET') : error)
    })
    sent.on('response', (message) => receive(message).then(resolve, reject))
    sent.end(body)
  })
}

async function receive(message: IncomingMessage): Promise<Received> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > maximumBodyBytes) {
      message.destroy()
      throw new Error(`the body is larger than ${maximumBodyBytes / 2 ** 20} MiB`)
    }
    chunks.push(chunk)
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  return { status: message.statusCode ?? 0, headers, text }
}

/** Returns the code of an error such as ECONNREFUSED, otherwise its message. */
function toReason(error: unknown): string {
  const code = readErrorField(error, 'code')
  if (code === 'ABORT_ERR') return 'interrupted'
  return code ?? readErrorField(error, 'message') ?? String(error)
}
