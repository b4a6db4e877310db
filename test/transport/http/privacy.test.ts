import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/index.js'
import type { ListenOptions, SandboxServerOptions } from '../../../src/server.js'
import { readHeaders } from '../../../src/service/headers.js'
import { secret as keySecret } from './support/access.js'
import { openServer } from './support/open-server.js'

/** Part of each value that other clients must not see. */
const secret = '5ecret'
const query = `page=${secret}&token=${secret}-1&from=sbx_free_default_${secret}-2`

const sentHeaders = {
  'User-Agent': 'shop/1.0',
  Accept: 'application/json',
  'Content-Type': 'application/json',
  Prefer: 'delay=0',
  'Idempotency-Key': 'order-7',
  Traceparent: '00-1-2-01',
  'X-Request-Id': 'r-7',
  'X-Trace': `t-${secret}`,
  Cookie: `cart=${secret}`,
}

const allowedHeaders = {
  'user-agent': 'shop/1.0',
  accept: 'application/json',
  'content-type': 'application/json',
  prefer: 'delay=0',
  'idempotency-key': 'order-7',
  traceparent: '00-1-2-01',
  'x-request-id': 'r-7',
}

type Send = (path: string, init: RequestInit) => Promise<Response>

/** Sends a message with private data in the query, the headers and the body. */
async function sendMessage(send: Send, key: string | undefined): Promise<void> {
  const headers = new Headers(sentHeaders)
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
  const body = JSON.stringify({ message: `${secret}-3 sbx_free_default_${secret}-4` })
  await send(`/quickstart/messages?${query}`, { method: 'POST', headers, body })
}

/** Starts a server, and collects the entries that its listeners receive. */
async function open(options: SandboxServerOptions = {}, listenOptions: ListenOptions = {}) {
  const opened = await openServer(options, listenOptions)
  const heard: JournalEntry[] = []
  opened.server.sandbox.subscribe((entry) => heard.push(entry))
  const read = async (key: string) => (await opened.server.sandbox.worldFor(key)).requests.find()
  return { ...opened, heard, read }
}

// The golden file journal has the entries of a labelled key, and of requests to a local server.
// test/transport/http/access.test.ts shows that a key secret hides more.
describe('the journal of a shared world', () => {
  test('has the headers on the allow-list, no values of the query, and the bodies', async () => {
    const { fetch, read } = await open()
    await sendMessage(fetch, 'sbx_free')
    const [entry] = await read('sbx_free')
    const headers = readHeaders(entry?.requestHeaders ?? [])
    expect(headers).toMatchObject({ ...allowedHeaders, authorization: 'Bearer sbx_free…' })
    const names = Object.keys(headers)
    expect(names).not.toContain('x-trace')
    expect(names).not.toContain('cookie')
    expect(names).not.toContain('host')
    expect(entry?.query).toBe('page=…&token=…&from=…')
    expect(entry?.incomplete).toEqual(['requestHeaders', 'query'])
    expect(entry?.requestBody).toBe(`{"message":"${secret}-3 sbx_free_def…"}`)
    expect(entry?.responseHeaders).toContain('X-RateLimit-Remaining')
    expect(entry?.changes).toMatchObject([{ message: { message: `${secret}-3 sbx_free_def…` } }])
  })

  test('has the headers of journalHeaders, except credentials', async () => {
    const { fetch, read } = await open({ journalHeaders: ['X-Trace', 'x-api-key'] })
    const headers = { Authorization: 'Bearer sbx_free', 'X-Trace': 't-1', 'X-Api-Key': secret }
    const others = Array.from({ length: 20 }, (_, at) => [`A-${at}`, 'o'.repeat(250)])
    await fetch('/v1/inventory', { headers: { ...Object.fromEntries(others), ...headers } })
    const [entry] = await read('sbx_free')
    const recorded = readHeaders(entry?.requestHeaders ?? [])
    expect(recorded).toMatchObject({ 'x-trace': 't-1', 'x-api-key': '…' })
    expect(recorded).not.toHaveProperty('a-1')
    expect(entry?.incomplete).toEqual(['requestHeaders'])
  })
})

const rejectedKeys = [
  ['without a key', undefined, 'missing_api_key'],
  ['with an unknown key', `sbx_free_unknown_${secret}`, 'invalid_api_key'],
  ['with the key of another service', `${secret}-of-another-service`, 'invalid_api_key'],
] as const

describe.each(rejectedKeys)('a request %s', (_title, key, code) => {
  const outline = {
    method: 'POST',
    path: '/messages',
    operation: 'sendMessage',
    status: 401,
    code,
    query: '',
    requestHeaders: [],
    requestBody: undefined,
    responseHeaders: [],
    responseBody: undefined,
    incomplete: ['query', 'requestHeaders', 'requestBody', 'responseBody'],
  }
  const reason = new RegExp(`^rejected with 401 ${code}: `)

  test.each([
    ['other machines can reach the server', {}, '0.0.0.0'],
    ['the server has a key secret', { access: { keySecrets: [keySecret] } }, '127.0.0.1'],
  ])('is in no journal if %s; listeners receive it', async (_condition, options, host) => {
    const { fetch, heard, server } = await open(options, { host })
    await sendMessage(fetch, key)
    for (const world of server.sandbox.core.worlds.all()) expect(world.requests.find()).toEqual([])
    expect(heard).toMatchObject([{ id: 0, ...outline }])
    expect(heard[0]?.explanation[0]).toMatch(reason)
  })
})

test('a request without a key to an unknown path is in no journal of a public server', async () => {
  const { fetch, heard, server } = await open({}, { host: '0.0.0.0' })
  const send = () => fetch('/v1/inventory', { headers: { Authorization: 'Bearer sbx_free' } })
  const { journal, requests } = server.sandbox.world
  await send()
  const changes: unknown[] = []
  server.sandbox.onChange((change) => changes.push(change))
  await fetch(`/v1/nowhere?${query}`)
  expect(changes).toEqual([])
  expect(journal.newestId).toBe(1)
  await send()
  expect(requests.find()).toMatchObject([{ id: 1 }, { id: 2 }])
  const unknown = { id: 0, path: '/nowhere', query: '', status: 404 }
  expect(heard).toMatchObject([{ id: 1 }, unknown, { id: 2 }])
})
