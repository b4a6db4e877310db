import { HttpResponse, http, passthrough } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { StoreError } from '../../../src/store/store.js'
import { MemoryStore } from '../../support/memory-store.js'
import { createSleep } from '../../support/sleep.js'
import {
  authorization,
  expectProblem,
  openServer,
  toRequest,
  watchErrors,
} from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])

/** The explanation of a response of a user handler. */
const responds = (status: number) => `a user handler responds with ${status}`

test('a request that no user handler responds to reaches the sandbox', async () => {
  const handlers = [
    http.get('/v1/inventory', () => passthrough()),
    http.get('/v1/inventory', () => undefined),
    http.post('/v1/inventory', () => HttpResponse.json([])),
    http.get('/v1', () => HttpResponse.json([])),
  ]
  const { send, world } = await openServer({ handlers })
  expect(JSON.parse((await send(list)).text)).toHaveLength(12)
  expect(await send(toRequest('GET /healthz'))).toMatchObject({ status: 200 })
  const headers = [authorization, 'Content-Type: application/json']
  await send(toRequest('PATCH /v1/inventory/1', headers, '{"quantity":5}'))
  expect(world.db.pets.find('1')?.quantity).toBe(5)
  expect(await send(toRequest('GET /v1'))).toMatchObject({ status: 200, text: '[]' })
})

test('a user handler receives the request as sent', async () => {
  const seen = vi.fn()
  const handler = http.post('/cart/:id', async ({ request, params, cookies }) => {
    seen({
      url: request.url,
      id: params.id,
      cookies,
      type: request.headers.get('content-type'),
      accept: request.headers.get('accept'),
      json: await request.clone().json(),
      bytes: (await request.arrayBuffer()).byteLength,
    })
    return new HttpResponse(null, { status: 204 })
  })
  const { send, port } = await openServer({ handlers: [handler] })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    'Cookie: a=1; b=2',
    'Accept: text/html, msw/passthrough, */*;q=0.1',
  ]
  const request = toRequest('POST /cart/%C3%A9?x=1', headers, '{"n":1}')
  expect(await send(request.replace('Host: localhost', `Host: 127.0.0.1:${port}`))).toMatchObject({
    status: 204,
  })
  expect(seen).toHaveBeenCalledWith({
    url: `http://127.0.0.1:${port}/cart/%C3%A9?x=1`,
    id: 'é',
    cookies: { a: '1', b: '2' },
    type: 'application/json; charset=utf-8',
    accept: 'text/html, */*;q=0.1',
    json: { n: 1 },
    bytes: 7,
  })
})

test('a target cannot replace the host', async () => {
  const seen = vi.fn()
  const handler = http.all('*', ({ request }) => {
    seen(new URL(request.url).host)
    return new HttpResponse('seen')
  })
  const { send } = await openServer({ handlers: [handler] })
  await send(toRequest('GET /\\evil.test/x'))
  expect(seen).toHaveBeenCalledWith('localhost')
})

test('a user handler that throws responds with 500 without a stack, is reported and recorded', async () => {
  const errors = watchErrors()
  const handler = http.get('/boom', () => {
    throw new TypeError('a secret of the handler')
  })
  const { connect, world, expectUnharmed } = await openServer({ handlers: [handler] })
  const client = connect()
  const response = await client.send(toRequest('GET /boom', [authorization])).response()
  expectProblem(response, 500, 'internal_error')
  expect(response.text).not.toContain('secret')
  expect(response.headers.get('x-ratelimit-remaining')).toBe('5000')
  expect(errors).toHaveBeenCalledOnce()
  const entries = world.requests.find()
  expect(entries).toMatchObject([
    { path: '/boom', status: 500, code: 'internal_error', isUserHandled: true },
  ])
  expect(entries[0]?.explanation.at(-1)).toBe('a user handler fails')
  expect(world.journal.facts.items).toMatchObject([{ traits: { userHandled: true } }])
  expect(JSON.stringify(entries)).not.toContain('secret')
  expect(await client.send(list).response()).toMatchObject({ status: 200 })
  await expectUnharmed()
})

test('the status text, headers and several cookies are sent', async () => {
  const handler = http.get('/odd', () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-Odd', 'yes'],
      ['Connection', 'close'],
    ])
    return new HttpResponse('x', { status: 299, statusText: 'Odd', headers })
  })
  const { fetch } = await openServer({ handlers: [handler] })
  const response = await fetch('/odd')
  expect(response).toMatchObject({ status: 299, statusText: 'Odd' })
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-odd')).toBe('yes')
  expect(response.headers.get('connection')).toBe('keep-alive')
})

test('a streamed body is sent as it is produced, and not recorded', async () => {
  const { sleep, wake: release } = createSleep()
  const encoder = new TextEncoder()
  const handler = http.get('/stream', () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(encoder.encode('first '))
        await sleep(0)
        controller.enqueue(encoder.encode('second'))
        controller.close()
      },
    })
    return new HttpResponse(body)
  })
  const { connect, world } = await openServer({ handlers: [handler] })
  const client = connect().send(toRequest('GET /stream', [authorization]))
  expect(await client.until('first ')).not.toContain('second')
  expect(world.requests.find()).toMatchObject([{ path: '/stream', responseBody: undefined }])
  release()
  expect(await client.until('0\r\n\r\n')).toContain('second')
})

test('a stream is cancelled when the client disconnects', async () => {
  let leave = (_reason: unknown) => {}
  const cancelled = new Promise((resolve) => {
    leave = resolve
  })
  const errors = watchErrors()
  const handler = http.get('/stream', () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
      cancel: leave,
    })
    return new HttpResponse(body)
  })
  const { connect, expectUnharmed } = await openServer({ handlers: [handler] })
  const client = connect().send(toRequest('GET /stream'))
  await client.until('first')
  client.abort()
  await cancelled
  await expectUnharmed()
  expect(errors).not.toHaveBeenCalled()
})

test('a user handler responds to HEAD without a body', async () => {
  const handler = http.head('/thing', () => new HttpResponse(null, { headers: { 'X-Size': '3' } }))
  const { send } = await openServer({ handlers: [handler] })
  expect((await send(toRequest('HEAD /thing'), 'HEAD')).headers.get('x-size')).toBe('3')
})

test('any page may read a response unless it has CORS headers', async () => {
  const handlers = [
    http.get('/open', () => new HttpResponse('x')),
    http.get('/bound', () => {
      const headers = { 'Access-Control-Allow-Origin': 'https://shop.test' }
      return new HttpResponse('x', { headers })
    }),
  ]
  const { send } = await openServer({ handlers })
  const origin = async (path: string) =>
    (await send(toRequest(`GET ${path}`))).headers.get('access-control-allow-origin')
  expect(await origin('/open')).toBe('*')
  expect(await origin('/bound')).toBe('https://shop.test')
})

test('a preflight request from any origin is accepted for a user handler', async () => {
  const handler = http.post('/cart', () => new HttpResponse('x'))
  const { send } = await openServer({ handlers: [handler] })
  const preflight = toRequest('OPTIONS /cart', [
    'Origin: https://shop.test',
    'Access-Control-Request-Method: POST',
  ])
  const response = await send(preflight)
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-headers')).toBe('Authorization, *')
})

test('a body larger than 1 MiB is not passed to user handlers', async () => {
  const seen = vi.fn()
  const handler = http.post('/upload', () => {
    seen()
    return new HttpResponse('x')
  })
  const { send, expectUnharmed } = await openServer({ handlers: [handler] })
  const allowed = toRequest('POST /upload', [], ' '.repeat(1_048_576))
  expect(await send(allowed)).toMatchObject({ status: 200 })
  const rejected = toRequest('POST /upload', ['Content-Length: 1048577'])
  expectProblem(await send(rejected), 413, 'payload_too_large')
  expect(seen).toHaveBeenCalledOnce()
  await expectUnharmed()
})

describe('the journal of a world', () => {
  const key = 'sbx_free_default_own'
  const bearer = `Authorization: Bearer ${key}`

  test('has the requests to which user handlers respond, which are not unmatched', async () => {
    const handlers = [
      http.get('/v1/inventory', () => HttpResponse.json([])),
      http.post('/cart', () => {
        const headers = { 'Set-Cookie': 'session=5ecret' }
        return HttpResponse.json({ id: 7 }, { status: 201, headers })
      }),
    ]
    const { connect, server } = await openServer({ handlers })
    const client = connect()
    await client.send(toRequest('GET /v1/inventory?page=2', [bearer])).response()
    const headers = [bearer, 'Content-Type: application/json']
    await client.send(toRequest('POST /cart?token=1', headers, '{"pet":7}')).response()
    await client.send(toRequest('GET /v1/nowhere', [bearer])).response()
    const { requests } = await server.sandbox.worldFor(key)
    const [list, cart, unknown] = requests.find()
    expect(list).toMatchObject({
      address: 'api',
      path: '/inventory',
      query: 'page=2',
      operation: 'listInventory',
      isUserHandled: true,
      explanation: [expect.stringContaining('world production/default/own'), responds(200)],
    })
    expect(cart).toMatchObject({
      address: undefined,
      method: 'POST',
      path: '/cart',
      query: 'token=…',
      operation: undefined,
      nearestOperation: undefined,
      isUserHandled: true,
      apiKey: 'sbx_free_def…',
      requestBody: '{"pet":7}',
      status: 201,
      responseBody: undefined,
    })
    expect(cart?.responseHeaders).toContain('content-type')
    expect(cart?.responseHeaders).toContain('…')
    expect(JSON.stringify(cart)).not.toContain('5ecret')
    expect(requests.unmatched()).toEqual([unknown])
    expect(requests.find({ unmatched: false })).toEqual([list, cart])
    expect(requests.find('listInventory')).toEqual([list])
  })

  test('has a request of staging and one that a user handler rejects by closing the connection', async () => {
    const handlers = [
      http.get('/staging/v1/inventory', () => HttpResponse.json([])),
      http.get('/reset', () => HttpResponse.error()),
    ]
    const { fetch, server } = await openServer({ handlers })
    const headers = { Authorization: `Bearer ${key}` }
    await fetch('/staging/v1/inventory', { headers })
    await expect(fetch('/reset', { headers })).rejects.toThrow()
    const find = async (environment: 'production' | 'staging') =>
      (await server.sandbox.worldFor(key, environment)).requests.find()
    expect(await find('staging')).toMatchObject([
      { address: 'staging', operation: 'listInventory' },
    ])
    expect(await find('production')).toMatchObject([
      {
        path: '/reset',
        status: 0,
        explanation: [expect.any(String), 'a user handler closes the connection'],
      },
    ])
  })

  test('has no request without a valid key if other machines can reach the server', async () => {
    const handler = http.get('/cart', () => new HttpResponse('x'))
    const { server, send, world } = await openServer({ handlers: [handler] }, { host: '0.0.0.0' })
    const heard = vi.fn()
    server.sandbox.subscribe(({ id, path, query }) => heard({ id, path, query }))
    expect(await send(toRequest('GET /cart?x=1'))).toMatchObject({ status: 200 })
    expect(world.requests.find()).toEqual([])
    expect(heard).toHaveBeenCalledWith({ id: 0, path: '/cart', query: '' })
  })

  test('has no pending request after the store has failed', async () => {
    const handler = http.get('/cart', () => new HttpResponse('x'))
    const store = new MemoryStore(false)
    const { send, world } = await openServer({ handlers: [handler], store })
    store.onAccess = () => {
      throw new StoreError('unreachable')
    }
    const response = await send(toRequest('GET /cart', [authorization]))
    expect(response).toMatchObject({ status: 503 })
    expect(world.requests.pending()).toEqual([])
  })
})

describe('a response of a user handler', () => {
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

  test('has the rate-limit headers of the key and charges nothing', async () => {
    const handler = http.get('/cart', () => new HttpResponse('x'))
    const { fetch } = await openServer({ handlers: [handler] })
    const getLimits = async (path: string, key?: string) => {
      const init = key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }
      const response = await fetch(path, init)
      return names.slice(0, 2).map((name) => response.headers.get(name))
    }
    expect(await getLimits('/cart', 'sbx_pro')).toEqual(['300', '300'])
    expect(await getLimits('/v1/inventory', 'sbx_pro')).toEqual(['300', '299'])
    expect(await getLimits('/cart', 'sbx_pro')).toEqual(['300', '299'])
    expect(await getLimits('/cart')).toEqual(['60', '60'])
    expect(await getLimits('/cart', 'unknown')).toEqual(['60', '60'])
  })

  test('keeps the rate-limit headers that the handler sets', async () => {
    const handler = http.get('/cart', () => {
      return new HttpResponse('x', { headers: { 'X-RateLimit-Remaining': '0' } })
    })
    const { send } = await openServer({ handlers: [handler] })
    const { headers } = await send(toRequest('GET /cart', [authorization]))
    expect(names.map((name) => headers.get(name))).toEqual(['5000', '0', expect.any(String)])
  })
})
