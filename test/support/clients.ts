import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import axios from 'axios'
import { collect, decode } from './fetch-client.js'
import type { Client, ReceivedAnswer, SentRequest } from './transport.js'

/** Sends through axios with its adapter for Node; a body that breaks off rejects as a whole. */
export const sendByAxios: Client = async ({ method, url, headers, body }) => {
  const response = await axios.request<ArrayBuffer>({
    adapter: 'http',
    method,
    url,
    // axios gives a body a type of its own choice unless it is told not to.
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
    headers: new Headers(received as [string, string][]), // pairs, as the line above makes them
    text: decode(Buffer.from(response.data)),
    isCutOff: false,
  }
}

/** Sends through `node:http` or `node:https`, on a connection of its own. */
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

async function receive(message: IncomingMessage): Promise<ReceivedAnswer> {
  const headers = new Headers()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  }
  const { bytes, isCutOff } = await collect(message)
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  return { status, statusText, headers, text: decode(bytes), isCutOff }
}

/** Each name with its value, or with all of them where it is sent several times. */
function groupByName(pairs: SentRequest['headers']): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = {}
  for (const [name, value] of pairs) {
    const found = grouped[name]
    grouped[name] = found === undefined ? value : [found, value].flat()
  }
  return grouped
}
