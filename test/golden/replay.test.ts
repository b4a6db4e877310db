import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../support/server.js'
import { Labels } from './replay/labels.js'
import {
  findDifference,
  toFetchResponse,
  toGoldenResponse,
  toHttpResponse,
} from './replay/response.js'
import { share } from './replay/share.js'
import { replays } from './replay/subjects.js'
import { WireClient } from './replay/wire.js'
import { format } from './subject.js'

const response = [
  'HTTP/1.1 200 OK',
  'Cache-Control: no-store',
  'X-Content-Type-Options: nosniff',
  'Date: Thu, 15 Jan 2026 09:00:00 GMT',
  'Content-Type: application/json',
  'Content-Length: 14',
  'Connection: keep-alive',
  '',
  '{"quantity":7}',
].join('\r\n')

const chunked = response
  .replace('Content-Length: 14', 'Transfer-Encoding: chunked')
  .replace('{"quantity":7}', '5\r\n{"qua\r\n9\r\nntity":7}\r\n0\r\n\r\n')

const request = { method: 'GET', headers: [], body: undefined }

/** Starts a server that sends these bytes in response to the first bytes of a connection. */
async function listen(bytes: string, ends: boolean): Promise<number> {
  const server = createServer((socket) => {
    socket.once('data', () => (ends ? socket.end(bytes) : socket.write(bytes)))
  })
  return Number(new URL(await serve(server)).port)
}

/** Returns what a golden file would record for these bytes. */
async function record(bytes: string, ends = false): Promise<string> {
  const port = await listen(bytes, ends)
  const client = new WireClient(port)
  onTestFinished(() => client.close())
  const received = await client.send({ ...request, url: `http://127.0.0.1:${port}/v1/inventory` })
  const golden = toGoldenResponse(toHttpResponse(received, new Labels()), [])
  return format(share({ title: [{ send: 'GET {api}/inventory', response: golden }] }))
}

test('a replay reads a body of known length, and one in chunks', async () => {
  for (const bytes of [response, chunked]) {
    expect(await record(bytes)).toContain('"json": {"quantity":7}')
  }
})

test.each([
  ['a byte of the body', '{"quantity":7}', '{"quantity":8}'],
  ['white space in the body', '{"quantity":7}', '{"quantity": 7'],
  ['the reason', '200 OK', '200 Fine'],
  ['the version', 'HTTP/1.1 200', 'HTTP/1.0 200'],
  ['the case of a header name', 'Content-Type:', 'content-type:'],
  ['the case of a shared header name', 'Cache-Control:', 'cache-control:'],
  ['the case of a header value', 'nosniff', 'NoSniff'],
  ['the white space of a header', 'Cache-Control: no-store', 'Cache-Control:no-store'],
  ['a shorter body', 'Content-Length: 14', 'Content-Length: 13'],
  ['an additional header', 'Date:', 'Vary: *\r\nDate:'],
  ['a repeated header', 'Cache-Control: no-store', 'Cache-Control: no-store\r\nDate: now'],
  [
    'the order of shared headers',
    'Cache-Control: no-store\r\nX-Content-Type-Options: nosniff',
    'X-Content-Type-Options: nosniff\r\nCache-Control: no-store',
  ],
  [
    'the order of other headers',
    'Content-Type: application/json\r\nContent-Length: 14',
    'Content-Length: 14\r\nContent-Type: application/json',
  ],
])('a replay notices a change of %s', async (_, before, after) => {
  expect(response).toContain(before)
  expect(await record(response.replace(before, after))).not.toBe(await record(response))
})

test('a replay notices a response that is cut off', async () => {
  const short = { 'the head': -20, 'the body': -1 }
  for (const [part, end] of Object.entries(short)) {
    expect(await record(response.slice(0, end), true), part).toContain('"connection": "ended"')
    expect(await record(chunked.slice(0, end), true), part).toContain('"connection": "ended"')
  }
})

test('a golden file with a changed byte of a body does not match', async () => {
  const recorded = readFileSync(new URL('files/service-list-orders.json', import.meta.url), 'utf8')
  const changed = recorded.replace('"quantity": 1,', '"quantity": 2,')
  expect(changed).not.toBe(recorded)
  const subject = replays.find(({ name }) => name === 'service-list-orders')
  const produced = format(await subject?.produce(JSON.parse(changed)))
  expect(`${produced}\n`).toBe(recorded)
})

test('a difference between HTTP and fetch is recorded, but for headers of the connection', () => {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const http = toHttpResponse({ head: head.split('\r\n'), body: Buffer.from(body) }, new Labels())
  const fetched = {
    status: 200,
    statusText: 'OK',
    headers: new Headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      date: 'Thu, 15 Jan 2026 09:00:00 GMT',
      'content-type': 'application/json',
      'content-length': '14',
    }),
    text: '{"quantity":7}',
    isCutOff: false,
  }
  const compare = (change: Partial<typeof fetched>) =>
    findDifference(http, toFetchResponse({ ...fetched, ...change }, new Labels()))
  expect(compare({})).toBeUndefined()
  expect(compare({ statusText: '' })).toEqual({ status: '200 ' })
  expect(compare({ text: '{"quantity":8}' })).toEqual({ jsonAt: { '/quantity': 8 } })
  expect(compare({ isCutOff: true })).toEqual({ isCutOff: true })
  expect(compare({ headers: new Headers() })?.headers).toContain('-cache-control: no-store')
})
