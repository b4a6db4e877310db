import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpSender, type HttpSenderOptions } from '../../src/verify/http-sender.js'
import { RequestFailure, type SentRequest } from '../../src/verify/request.js'
import { serveOther } from '../cli/world-support.js'

const key = 'sbx_pro_default_very-secret'

/** Returns a function that sends requests to a server until the test ends. */
async function connect(listener: RequestListener, options: Partial<HttpSenderOptions> = {}) {
  const url = await serveOther(listener)
  const sender = createHttpSender({ timeoutMs: 20_000, keys: [key], userAgent: 'test', ...options })
  onTestFinished(sender.close)
  return (request: Partial<SentRequest> = {}, signal?: AbortSignal) =>
    sender.send({ url, method: 'GET', headers: {}, body: undefined, ...request }, signal)
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

test('rejects a body that is larger than the maximum of the request, by default 16 MiB', async () => {
  const send = await connect((_request, response) => response.end(Buffer.alloc(2 ** 24 + 1, ' ')))
  await expect(send()).rejects.toThrow('the body is larger than 16 MiB')
  await expect(send({ maximumBytes: 2 ** 21 })).rejects.toThrow('larger than 2 MiB')
  expect((await send({ maximumBytes: 2 ** 25 })).text).toHaveLength(2 ** 24 + 1)
})

test('rejects a body that is not UTF-8, of which a lenient decoder changes bytes', async () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22])
  const send = await connect((_request, response) => response.end(bytes))
  expect(new TextDecoder().decode(bytes)).toBe('"\ufffd"')
  await expect(send()).rejects.toThrow('the body is not UTF-8')
})

test('rejects with one line when the signal is aborted', async () => {
  const stop = new AbortController()
  const send = await connect(() => stop.abort())
  await expect(send({}, stop.signal)).rejects.toThrow(/^GET \S+: interrupted$/)
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

test('sends a request again if the server has closed the connection of an earlier one', async () => {
  const { listener, methods } = createStale()
  const send = await connect(listener)
  await send()
  expect((await send({ method: 'PATCH', body: '{}' })).status).toBe(200)
  expect(methods).toEqual(['GET', 'PATCH', 'PATCH'])
})

test('sends a POST once, on a connection of its own', async () => {
  const { listener, methods } = createStale()
  const send = await connect(listener)
  await send()
  expect((await send({ method: 'POST', body: '{}' })).status).toBe(200)
  expect(methods).toEqual(['GET', 'POST'])
})
