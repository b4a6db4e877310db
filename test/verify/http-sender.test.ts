import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpSender, type HttpSenderOptions } from '../../src/verify/http-sender.js'
import { RequestFailure, type SentRequest } from '../../src/verify/request.js'
import { serve } from '../support/server.js'

const key = 'sbx_pro_default_very-secret'

/** Returns a function that sends requests to a server until the test ends. */
async function connect(listener: RequestListener, options: Partial<HttpSenderOptions> = {}) {
  const url = await serve(listener)
  const send = createHttpSender({ timeoutMs: 20_000, keys: [key], userAgent: 'test', ...options })
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

const repeatKey: RequestListener = (_request, response) => {
  response.setHeader('Location', `/?key=${key}`).end(`"${key}"`)
}

test('masks the keys in the text and in the headers', async () => {
  const send = await connect(repeatKey)
  const { headers, text, isMasked } = await send()
  expect([headers.get('location'), text, isMasked]).toEqual([
    '/?key=sbx_pro_defa…',
    '"sbx_pro_defa…"',
    true,
  ])
})

test('returns a key that it does not know', async () => {
  const send = await connect(repeatKey, { keys: [] })
  expect(await send()).toMatchObject({ text: `"${key}"`, isMasked: false })
})

test('masks the keys in a failure', async () => {
  const send = await connect((request) => request.socket.destroy())
  const failure = send({ url: `http://127.0.0.1:1/${key}` })
  await expect(failure).rejects.toThrow(RequestFailure)
  await expect(failure).rejects.toThrow('GET http://127.0.0.1:1/sbx_pro_defa…: ECONNREFUSED')
})

test('rejects a body that is larger than 16 MiB', async () => {
  let length = 2 ** 24
  const send = await connect((_request, response) => response.end(Buffer.alloc(length, ' ')))
  expect((await send()).text).toHaveLength(length)
  length += 1
  await expect(send()).rejects.toThrow('the body is larger than 16 MiB')
})

test('rejects a body that is not UTF-8, of which a lenient decoder changes bytes', async () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22])
  const send = await connect((_request, response) => response.end(bytes))
  expect(new TextDecoder().decode(bytes)).toBe('"\ufffd"')
  await expect(send()).rejects.toThrow('the body is not UTF-8')
})

test('rejects with the reason of the signal when it is aborted', async () => {
  const stop = new AbortController()
  const send = await connect(() => stop.abort(new Error('interrupted')))
  await expect(send({}, stop.signal)).rejects.toThrow(/^interrupted$/)
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
