import { createMiddleware } from '@mswjs/http-middleware'
import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { RawClient } from '../../support/raw-client.js'
import { serve } from '../../support/server.js'
import { authorization, toRequest } from './support/open-server.js'

// The service suite runs over @mswjs/http-middleware too (test/conformance/service). These are the
// differences from the middleware of the sandbox that docs/recipes/express.md lists.

const headers = { Authorization: 'Bearer sbx_enterprise' }

/** Serves the handlers of a sandbox below `/petstore`, and an application. */
async function open(...before: RequestHandler[]) {
  const sandbox = await createSandbox({ baseUrl: '/v1', controlUrl: '/sandbox' })
  // It has the types of the CommonJS build of msw, which TypeScript distinguishes.
  const handlers = sandbox.handlers as never[]
  const app = express().use(...before, (_req, _res, next) => next())
  app.use('/petstore', createMiddleware(...handlers))
  app.use((req, res) => void res.send(`the application: ${req.originalUrl}`))
  const url = await serve(app)
  return { url, port: Number(new URL(url).port), world: sandbox.world }
}

test('relative base URLs are below the path at which the handlers are mounted', async () => {
  const { url } = await open()
  const get = async (path: string) => (await fetch(`${url}${path}`, { headers })).text()
  expect(JSON.parse(await get('/petstore/v1/inventory'))).toHaveLength(12)
  expect(JSON.parse(await get('/petstore/sandbox/pets'))).toHaveLength(12)
  for (const path of ['/v1/inventory', '/petstore/other']) {
    expect(await get(path)).toBe(`the application: ${path}`)
  }
})

test('after express.json(), the parsed body is used', async () => {
  const { url } = await open(express.json())
  const response = await fetch(`${url}/petstore/v1/inventory/1`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"quantity":5}',
  })
  expect(await response.json()).toMatchObject({ quantity: 5 })
})

test('an aborted request is recorded as if its response had been received', async () => {
  const { url, world } = await open()
  const controller = new AbortController()
  const { signal } = controller
  const delayed = { ...headers, Prefer: 'delay=0.1' }
  const sent = fetch(`${url}/petstore/v1/inventory`, { headers: delayed, signal }).catch(
    () => 'aborted',
  )
  await expect.poll(() => world.requests.pending()).toHaveLength(1)
  controller.abort()
  expect(await sent).toBe('aborted')
  expect(await world.requests.waitFor('listInventory')).toMatchObject({
    status: 200,
    aborted: false,
  })
})

test.each(['TRACE /petstore/v1/inventory', 'GET /petstore//'])(
  '%s gets 500 of Express, and is not recorded',
  async (line) => {
    const { port, world } = await open()
    const client = new RawClient(port)
    const { status, text } = await client.send(toRequest(line, [authorization])).response()
    client.abort()
    expect(status).toBe(500)
    expect(text).toContain('TypeError')
    expect(world.requests.find()).toEqual([])
  },
)

test('a client can bypass the handlers', async () => {
  const { url } = await open()
  const path = '/petstore/v1/inventory'
  const response = await fetch(url + path, { headers: { ...headers, Accept: 'msw/passthrough' } })
  expect(await response.text()).toBe(`the application: ${path}`)
})
