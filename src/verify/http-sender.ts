import { isUtf8 } from 'node:buffer'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createMask } from '../service/mask.js'
import { readErrorField, truncate } from '../service/validation/message.js'
import {
  type ReceivedResponse,
  RequestFailure,
  readBounded,
  type Send,
  type SentRequest,
} from './request.js'

/** Maximum size of a header section. A response with a larger one is rejected. */
const maximumHeaderBytes = 64 * 2 ** 10

export interface HttpSenderOptions {
  /** Time from the start of a request to the end of its response. */
  readonly timeoutMs: number
  /** The keys to mask in responses. */
  readonly keys: readonly string[]
  readonly userAgent: string
}

/**
 * Returns a function that sends requests to untrusted servers: it follows no redirect, accepts no
 * endless response, and masks keys in responses.
 */
export function createHttpSender({ timeoutMs, keys, userAgent }: HttpSenderOptions): Send {
  const mask = createMask(keys)
  const fixedHeaders = {
    Accept: 'application/json',
    // A body with a content coding is rejected, because it could be larger than the received bytes.
    'Accept-Encoding': 'identity',
    'User-Agent': userAgent,
  }
  return async (request, stop) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = stop ? AbortSignal.any([stop, timeout]) : timeout
    try {
      const headers = { ...fixedHeaders, ...request.headers }
      const received = await exchange({ ...request, headers }, signal)
      const text = mask(received.text)
      const masked = [...received.headers].map(([name, value]) => [name, mask(value)] as const)
      return { ...received, headers: new Map(masked), text, isMasked: text !== received.text }
    } catch (error) {
      stop?.throwIfAborted()
      const reason = timeout.aborted
        ? `no complete response within ${timeoutMs / 1000} s`
        : (readErrorField(error, 'code') ?? readErrorField(error, 'message') ?? String(error))
      throw new RequestFailure(mask(`${request.method} ${request.url}: ${truncate(mask(reason))}`))
    }
  }
}

async function exchange(sent: SentRequest, signal: AbortSignal): Promise<ReceivedResponse> {
  const { url, method, body } = sent
  const { request } = /^https:/i.test(url) ? https : http
  // A connection for each request: a server may close one while the next request is sent on it.
  const settings = { agent: false, maxHeaderSize: maximumHeaderBytes, signal }
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: sent.headers, ...settings }, resolve)
      .on('error', reject)
      .end(body)
  })
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  }
  const bytes = await readBounded(message)
  const coding = headers.get('content-encoding') ?? 'identity'
  if (bytes.length > 0 && coding !== 'identity') {
    throw new Error(`the body must have no content coding, found ${coding}`)
  }
  if (!isUtf8(bytes)) throw new Error('the body is not UTF-8')
  return { status: message.statusCode ?? 0, headers, text: new TextDecoder().decode(bytes) }
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns a line for each URL to which requests leave this machine as plain text. */
export function listUnencrypted(urls: readonly string[]): readonly string[] {
  return [...new Set(urls)]
    .filter((url) => /^http:/i.test(url) && !loopback.test(new URL(url).hostname))
    .map((url) => `note: the key is sent to ${url} without encryption`)
}
