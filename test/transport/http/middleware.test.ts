import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createSandboxMiddleware,
  type SandboxMiddleware,
  type SandboxMiddlewareOptions,
} from '../../../src/server.js'
import { createHttpClient } from '../../support/http-client.js'
import { RawClient } from '../../support/raw-client.js'
import { serve } from '../../support/server.js'
import { createSleep } from '../../support/sleep.js'
import { authorization, toRequest } from './support/open-server.js'

const headers = { Authorization: 'Bearer sbx_enterprise' }

async function create(options?: SandboxMiddlewareOptions): Promise<SandboxMiddleware> {
  const middleware = await createSandboxMiddleware(options)
  onTestFinished(() => middleware.close())
  return middleware
}

/** Starts a server on a free port until the end of the test, and returns its port. */
async function listen(server: Server): Promise<number> {
  return Number(new URL(await serve(server)).port)
}

/** Serves an Express application with a page of its own. */
function serveApp(mount: (app: express.Express) => void): Promise<string> {
  const app = express()
  mount(app)
  app.use((req, res) => void res.status(404).send(`the application has no ${req.originalUrl}`))
  return serve(app)
}

const getText = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

describe('in an Express application', () => {
  // test/transport/http/frameworks.test.ts mounts it at `/` and at `/petstore`.
  test('at a path with a parameter responds to its addresses', async () => {
    const middleware = await create()
    const url = await serveApp((app) => app.use('/api/:tenant', middleware))
    const list = await fetch(`${url}/api/acme/v1/inventory`, { headers })
    expect(await list.json()).toHaveLength(12)
    const { requests } = middleware.sandbox.world
    expect(requests.find('listInventory')).toMatchObject([{ path: '/inventory' }])
  })

  test('passes on a host that it would not allow, if the request is not for the sandbox', async () => {
    const middleware = await create()
    const url = await serveApp((app) => app.use(middleware))
    const client = new RawClient(Number(new URL(url).port))
    const get = (path: string) =>
      client.send(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`).response()
    expect((await get('/page')).text).toBe('the application has no /page')
    const rejected = await get('/v1/inventory')
    expect(rejected).toMatchObject({ status: 421 })
    expect(rejected.text).toContain(
      "start with the option allowedHosts: ['shop.example'] to accept it",
    )
    client.abort()
  })

  test('with pages, responds to requests for them, with the URL at which it is mounted', async () => {
    const middleware = await create({ pages: true })
    const url = await serveApp((app) => app.use('/petstore', middleware))
    expect(await getText(`${url}/petstore/readyz`)).toBe('{"status":"ready"}')
    const document = await (await fetch(`${url}/petstore/openapi.json`)).json()
    expect(document.servers[0].url).toBe(`${url}/petstore/v1`)
    const pet = await fetch(`${url}/petstore/v1/pets/1`, { headers })
    expect(pet.headers.get('link')).toContain('</petstore/#getPet>')
    expect(await getText(`${url}/petstore/metrics`)).toContain('petstore_sandbox_worlds')
    expect((await fetch(`${url}/petstore`)).url).toBe(`${url}/petstore/`)
    for (const path of ['/petstore/other', '/petstore/docs/x.md', '/petstore/console-x.js']) {
      expect(await getText(url + path)).toBe(`the application has no ${path}`)
    }
    expect(await getText(`${url}/`)).toBe('the application has no /')
  })

  test('a middleware that replaces writeHead, such as compression, receives the headers', async () => {
    const middleware = await create()
    const url = await serveApp((app) => {
      // As on-headers 1.0 does, which is used by compression 1.7 and morgan 1.10.
      app.use((_req, res, next) => {
        const { writeHead } = res
        res.writeHead = (status: number, sent: unknown) => {
          for (const [name, value] of Object.entries(sent ?? {})) res.setHeader(name, value)
          return writeHead.call(res, status)
        }
        next()
      })
      app.use(middleware)
    })
    for (const init of [{ headers }, {}]) {
      const response = await fetch(`${url}/v1/inventory`, init)
      expect(response.headers.get('Content-Type')).toBe('application/json')
      expect(response.headers.has('X-RateLimit-Limit')).toBe(true)
    }
  })
})

describe('over HTTP/2', () => {
  async function open(options?: SandboxMiddlewareOptions) {
    const middleware = await create(options)
    const server = createHttp2Server((req, res) =>
      // The compatibility API has what the middleware uses.
      middleware(...([req, res] as unknown as Parameters<RequestListener>), () => res.end('next')),
    )
    const port = await listen(server)
    const session = connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => session.destroy())
    /** Sends a request, and returns the status and the body. */
    const send = async (
      path: string,
      more: Record<string, string> = {},
      body?: string,
      signal?: AbortSignal,
    ) => {
      const stream = session.request({ ':path': path, ...headers, ...more }, signal && { signal })
      stream.end(body)
      let status: unknown
      let via: unknown
      stream.on('response', (received) => {
        status = received[':status']
        via = received.via
      })
      let text = ''
      for await (const chunk of stream.setEncoding('utf8')) text += chunk
      return { status, text, via }
    }
    return { middleware, send }
  }

  test('responds to several requests at the same time', async () => {
    const { send, middleware } = await open()
    const { requests } = middleware.sandbox.world
    const stop = new AbortController()
    const delay = { Prefer: 'delay=60' }
    const delayed = send('/v1/inventory', delay, undefined, stop.signal).catch(() => 'closed')
    const change = { ':method': 'PATCH', 'Content-Type': 'application/json' }
    const [list, changed, other] = await Promise.all([
      send('/v1/inventory'),
      send('/v1/inventory/1', change, '{"quantity":5}'),
      send('/other'),
    ])
    expect(list).toMatchObject({ status: 200, text: expect.stringContaining('petId') })
    expect(changed).toMatchObject({ status: 200, text: expect.stringContaining('"quantity":5') })
    expect(other.text).toBe('next')
    expect(await send('/v1/inventory/1', change)).toMatchObject({ status: 400 })
    const [entry] = requests.find('updateInventory')
    expect(entry?.requestHeaders.filter((name) => name.startsWith(':'))).toEqual([])
    stop.abort()
    expect(await delayed).toBe('closed')
    expect(await requests.waitFor({ status: 0 })).toMatchObject({ aborted: true })
  })

  test('passes on requests for pages, and responds to health checks', async () => {
    const { send } = await open({ pages: true })
    for (const path of ['/', '/openapi.json']) {
      expect((await send(path)).text).toBe('next')
    }
    expect(await send('/healthz')).toMatchObject({ status: 200 })
  })

  test('sends every value of a repeated header', async () => {
    const { send, middleware } = await open()
    const headers = { Via: ['1.1 a', '1.1 b'], 'Retry-After': ['1', '2'] }
    middleware.sandbox.world.faults.set({ type: 'status', status: 502, body: 'x', headers })
    expect(await send('/v1/inventory')).toEqual({ status: 502, text: 'x', via: '1.1 a, 1.1 b' })
  })

  test('a fault ends one stream', async () => {
    const { send, middleware } = await open()
    for (const type of ['reset', 'truncate'] as const) {
      middleware.sandbox.world.faults.add({ type, atMost: 1 })
      await expect(send('/v1/inventory')).rejects.toThrow()
      expect(await send('/v1/inventory')).toMatchObject({ status: 200 })
    }
  })
})

test('over HTTPS, documents have the scheme, and a fault closes the connection', async () => {
  // A certificate for localhost, signed by itself and valid until 2126.
  const read = (file: string) => readFileSync(new URL(`support/tls/${file}`, import.meta.url))
  const [key, cert] = [read('key.pem'), read('cert.pem')]
  const middleware = await create({ pages: true })
  const server = createHttpsServer({ key, cert }, (req, res) => middleware(req, res, () => {}))
  const url = `https://localhost:${await listen(server)}`
  const send = createHttpClient(url, { agent: false, ca: cert })
  expect((await send('GET /openapi.json')).text).toContain(`"${url}/v1"`)
  middleware.sandbox.world.faults.add({ type: 'reset', atMost: 1 })
  await expect(send('GET /v1/inventory', { key: 'sbx_enterprise' })).rejects.toThrow()
})

test('close ends event streams, waits for responses, and passes on later requests', async () => {
  const { sleep, wake } = createSleep()
  const middleware = await create({ sleep })
  const url = await serveApp((app) => app.use(middleware))
  const stream = await fetch(`${url}/sandbox/events`, { headers })
  const delayed = fetch(`${url}/v1/inventory`, { headers: { ...headers, Prefer: 'delay=1' } })
  await expect.poll(() => middleware.sandbox.world.requests.pending()).toHaveLength(1)
  let isClosed = false
  const closing = middleware.close().then(() => {
    isClosed = true
  })
  await stream.text()
  expect(await getText(`${url}/v1/inventory`, { headers })).toContain('the application has no')
  expect(isClosed).toBe(false)
  wake()
  expect((await delayed).status).toBe(200)
  await closing
})

test.each<[string, unknown]>([
  ['pages must be true or false, found 1', { pages: 1 }],
  ['limits.connections', { limits: { connections: 5 } }],
  ['handlers', { handlers: [] }],
])('rejects invalid options: %s', async (message, options) => {
  const invalid = options as SandboxMiddlewareOptions // wrong on purpose
  await expect(createSandboxMiddleware(invalid)).rejects.toThrow(message)
})

test('without a next middleware, other requests get 404', async () => {
  const middleware = await create()
  const port = await listen(createServer(middleware))
  const response = await fetch(`http://127.0.0.1:${port}/other`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'route_not_found' })
  expect((await fetch(`http://127.0.0.1:${port}/v1/inventory`, { headers })).status).toBe(200)
})

test('100 Continue is sent once', async () => {
  const client = new RawClient(await listen(createServer(await create())))
  onTestFinished(() => client.abort())
  const lines = ['Content-Type: application/json', 'Content-Length: 14', 'Expect: 100-continue']
  client.send(toRequest('PATCH /v1/inventory/1', [authorization, ...lines]))
  expect(await client.response()).toMatchObject({ status: 100 })
  client.send('{"quantity":5}')
  expect(await client.response()).toMatchObject({ status: 200 })
})

test('a request of HTTP/1 may state version 2.0', async () => {
  const middleware = await create({ pages: true })
  const client = new RawClient(await listen(createServer(middleware)))
  client.send('GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n')
  expect((await client.response()).status).toBe(200)
  client.abort()
})
