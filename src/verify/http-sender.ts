import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createMask } from '../service/mask.js'
import { readErrorField, toPlainLine, truncate } from '../service/validation/message.js'
import { type ReceivedResponse, RequestFailure, type Send, type SentRequest } from './request.js'

/** Exit code if the deployment does not respond, or not as the command needs it. */
export const incompleteCode = 2

/** A response with a larger body is not read to its end. */
const defaultMaximumBytes = 16 * 2 ** 20
/** A response with a larger header section is rejected. */
const maximumHeaderBytes = 64 * 2 ** 10

export interface HttpSenderOptions {
  /** Time from the start of a request to the end of its response. */
  readonly timeoutMs: number
  /** The keys that are masked in what it returns. */
  readonly keys: readonly string[]
  readonly userAgent: string
}

/** Sends requests over HTTP until it is closed. */
export interface HttpSender {
  readonly send: Send
  close(): void
}

/**
 * Creates a sender for servers that are not trusted: it follows no redirect, accepts no endless
 * response, and masks keys in what it returns.
 */
export function createHttpSender({ timeoutMs, keys, userAgent }: HttpSenderOptions): HttpSender {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  } as const
  const mask = createMask(keys)
  const sendOnce = (request: SentRequest, signal: AbortSignal) => {
    const { protocol } = new URL(request.url)
    const agent = agents[protocol === 'https:' ? 'https:' : 'http:']
    const headers = { ...request.headers, ...fixedHeaders, 'User-Agent': userAgent }
    return exchange({ ...request, headers }, signal, agent)
  }
  return {
    async send(request, stop) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = stop ? AbortSignal.any([stop, timeout]) : timeout
      try {
        // A server may close a connection while the next request is sent on it.
        const response = await sendOnce(request, signal).catch((error: unknown) => {
          if (error instanceof StaleConnection) return sendOnce(request, signal)
          throw error
        })
        return toMasked(response, mask)
      } catch (error) {
        const reason = timeout.aborted
          ? `no complete response within ${timeoutMs / 1000} s`
          : toReason(error)
        const line = `${request.method} ${request.url}: ${truncate(mask(reason))}`
        throw new RequestFailure(toPlainLine(mask(line)))
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** A body with a content coding is rejected, so that it cannot be larger than it is on the wire. */
const fixedHeaders = { 'Accept-Encoding': 'identity' }

/** The server closed a connection that it had kept open for the next request. */
class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function exchange(
  { url, method, headers, body, maximumBytes = defaultMaximumBytes }: SentRequest,
  signal: AbortSignal,
  agent: http.Agent,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const { request: start } = agent instanceof https.Agent ? https : http
    const sent = start(url, {
      method,
      headers,
      // A message must not be sent twice.
      agent: method === 'POST' ? false : agent,
      maxHeaderSize: maximumHeaderBytes,
      signal,
    })
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && readErrorField(error, 'code') === 'ECONNRESET'
      reject(isStale ? new StaleConnection('ECONNRESET') : error)
    })
    sent.on('response', (message) => receive(message, maximumBytes).then(resolve, reject))
    sent.end(body)
  })
}

async function receive(message: IncomingMessage, maximumBytes: number): Promise<ReceivedResponse> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > maximumBytes) {
      message.destroy()
      throw new Error(`the body is larger than ${maximumBytes / 2 ** 20} MiB`)
    }
    chunks.push(chunk)
  }
  const coding = headers.get('content-encoding') ?? 'identity'
  if (length > 0 && coding !== 'identity') {
    throw new Error(`the body must have no content coding, found ${coding}`)
  }
  return { status: message.statusCode ?? 0, headers, text: decode(Buffer.concat(chunks)) }
}

/** @throws {Error} If the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('the body is not UTF-8')
  }
}

function toMasked(response: ReceivedResponse, mask: (text: string) => string): ReceivedResponse {
  const text = mask(response.text)
  const headers = new Map([...response.headers].map(([name, value]) => [name, mask(value)]))
  return { ...response, headers, text, isMasked: text !== response.text }
}

/** Returns the code of an error such as ECONNREFUSED, otherwise its message. */
function toReason(error: unknown): string {
  const code = readErrorField(error, 'code')
  if (code === 'ABORT_ERR') return 'interrupted'
  return code ?? readErrorField(error, 'message') ?? String(error)
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns a line for each URL to which requests leave this machine as plain text. */
export function listUnencrypted(urls: readonly string[]): readonly string[] {
  const unencrypted = [...new Set(urls)].filter((url) => {
    const { protocol, hostname } = new URL(url)
    return protocol === 'http:' && !loopback.test(hostname)
  })
  return unencrypted.map((url) => `note: the key is sent to ${url} without encryption`)
}
