import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import axios from 'axios'
import { collect, decode } from './fetch-client.js'
import type { Client, ReceivedResponse, SentRequest } from './transport.js'

/** Sends with axios and its adapter for Node. A truncated body rejects the request. */
export const sendByAxios: Client = async ({ method, url, headers, body }) => {
  const response = await axios.request<ArrayBuffer>({
    adapter: 'http',
    method,
    url,
    // By default, axios sets a Content-Type on requests with a body.
    headers: { 'Content-Type': false, ...groupByName(headers) },
    data: body && Buffer.from(body),
    responseType: 'arraybuffer',
    validateStatus: () => true,
    proxy: false,
  })
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    status: response.status,
    statusText: response.statusText,
    headers: new Headers(received as [string, string][]), // the line above creates pairs
    text: decode(Buffer.from(response.data)),
    isCutOff: false,
  }
}

/** Sends with `node:http` or `node:https`, on a separate connection. */
export const sendByNodeHttp: Client = (request) =>
  new Promise((resolve, reject) => {
    const { method, url, headers, body } = request
    const flat = headers.flat()
    const { request: start } = url.startsWith('https:') ? https : http
    const sent = start(url, { method, agent: false, headers: withLength(flat, request) })
    sent.on('error', reject)
    sent.on('response', (message) => resolve(receive(message)))
    sent.end(body)
  })

function withLength(flat: readonly string[], { url, body }: SentRequest): string[] {
  const host = ['Host', new URL(url).host]
  return [...flat, ...host, ...(body ? ['Content-Length', String(body.byteLength)] : [])]
}

async function receive(message: IncomingMessage): Promise<ReceivedResponse> {
  const headers = new Headers()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  }
  const { bytes, isCutOff } = await collect(message)
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  return { status, statusText, headers, text: decode(bytes), isCutOff }
}

/** Groups headers by name; a repeated header has an array of values. */
function groupByName(pairs: SentRequest['headers']): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = {}
  for (const [name, value] of pairs) {
    const found = grouped[name]
    grouped[name] = found === undefined ? value : [found, value].flat()
  }
  return grouped
}
