import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpSender } from '../../src/verify/http-sender.js'
import type { SentRequest } from '../../src/verify/request.js'
import { serve } from '../support/server.js'

const key = 'sbx_pro_default_very-secret'

/** Returns a function that sends requests to a server until the test ends. */
async function connect(listener: RequestListener) {
  const url = await serve(listener)
  const send = createHttpSender({ timeoutMs: 20_000, keys: [key], userAgent: 'test' })
  return (request: Partial<SentRequest> = {}, signal?: AbortSignal) =>
    send({ url, method: 'GET', headers: {}, body: undefined, ...request }, signal)
}

test('sends a request, and returns the status, the headers and the text', async () => {
  const send = await connect((request, response) => {
    const { 'user-agent': agent, 'accept-encoding': coding, 'x-a': a } = request.headers
    request.on('data', (chunk) => {
      response.writeHead(207, [
        ['X-B', '1'],
        ['X-B', '2'],
      ])
      response.end(`${request.method} ${agent} ${coding} ${a} ${chunk} ü`)
    })
  })
  const request = { method: 'PATCH', headers: { 'X-A': '3' }, body: '{}' }
  const { status, headers, text, isMasked } = await send(request)
  expect({ status, text, isMasked }).toEqual({
    status: 207,
    text: 'PATCH test identity 3 {} ü',
    isMasked: false,
  })
  expect(headers.get('x-b')).toBe('1, 2')
})

test('masks the keys in the text and in the headers', async () => {
  const send = await connect((_request, response) => {
    response.setHeader('Location', `/?key=${key}`).end(`"${key}"`)
  })
  const { headers, text, isMasked } = await send()
  expect([headers.get('location'), text, isMasked]).toEqual([
    '/?key=sbx_pro_defa…',
    '"sbx_pro_defa…"',
    true,
  ])
})

/** Closes a connection when a second request is received on it. */
function createStale() {
  const methods: (string | undefined)[] = []
  const known = new Set<Socket>()
  const listener: RequestListener = (request, response) => {
    methods.push(request.method)
    request.resume()
    if (known.has(request.socket)) request.socket.destroy()
    else response.end()
    known.add(request.socket)
  }
  return { listener, methods }
}

test.each(['PATCH', 'POST'])('sends a %s once, on a connection of its own', async (method) => {
  const { listener, methods } = createStale()
  const send = await connect(listener)
  await send()
  expect((await send({ method, body: '{}' })).status).toBe(200)
  expect(methods).toEqual(['GET', method])
})
