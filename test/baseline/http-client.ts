import http, { type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Received, SentRequest } from './exchange.js'

/** The host of all requests: the port differs from server to server. */
const host = { Host: 'localhost' }

/** Sends a request with `node:http`. Resolves also if the connection fails. */
export function sendByHttp(port: number, request: SentRequest): Promise<Received> {
  const { method, target, headers, body } = request
  const length = body && { 'Content-Length': body.byteLength }
  return new Promise((resolve) => {
    const sent = http.request({
      port,
      method,
      path: target,
      agent: false,
      headers: { ...host, ...headers, ...length },
    })
    sent.on('error', ({ message }) =>
      resolve({ status: 0, headers: [], body: '', failure: message }),
    )
    sent.on('response', (message) => resolve(receive(message)))
    sent.end(body)
  })
}

async function receive(message: IncomingMessage): Promise<Received> {
  const { statusCode: status = 0, rawHeaders } = message
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  const values = rawHeaders.filter((_, index) => index % 2 === 1).map(maskRealTime)
  const received = { status, headers: names.map((name, at) => [name, values[at] ?? ''] as const) }
  if (message.headers['content-type'] === 'text/event-stream') {
    return { ...received, body: '', stream: readBody(message).then(({ body }) => body) }
  }
  return { ...received, ...(await readBody(message)) }
}

async function readBody(message: IncomingMessage): Promise<{ body: string; failure?: string }> {
  let body = ''
  message.setEncoding('latin1')
  try {
    for await (const text of message) body += text
    return { body }
  } catch (error) {
    return { body, failure: String(error) }
  }
}

/** Sends the text of a request, and returns everything that the server sends until it closes. */
export async function sendText(port: number, text: string): Promise<Received> {
  const socket = connect(port).setEncoding('latin1')
  let body = ''
  let failure = {}
  socket.on('data', (received) => {
    body += received
  })
  socket.on('error', (error) => {
    failure = { failure: String(error) }
  })
  socket.write(text, 'latin1')
  await new Promise((resolve) => socket.on('close', resolve))
  return {
    status: 0,
    headers: [],
    body: body.replace(/(?<=^Date: ).+$/gm, maskRealTime),
    ...failure,
  }
}

/** Masks the date of a response to no world, which has the real time. */
function maskRealTime(value: string): string {
  return Math.abs(Date.parse(value) - Date.now()) < 60_000 ? '(real time)' : value
}
