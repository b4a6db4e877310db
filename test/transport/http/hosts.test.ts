import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import type { SandboxServerOptions } from '../../../src/server.js'
import { createHttpClient } from '../../support/http-client.js'
import { authorization, expectProblem, openServer } from './support/open-server.js'

const get = (path: string, host: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n\r\n`

describe('a server on a loopback address', () => {
  test.each([
    'localhost',
    'LocalHost:4010',
    'localhost.',
    'shop.localhost:4010',
    '127.0.0.1:4010',
    '127.9.9.9',
    '192.0.2.7',
    '[::1]:4010',
    '[2001:db8::7]',
  ])('accepts the Host %s', async (host) => {
    const { send } = await openServer()
    expect(await send(get('/v1/inventory', host))).toMatchObject({ status: 200 })
  })

  test.each([
    'shop.example',
    'shop.example:4010',
    'localhost.shop.example',
    '127.0.0.1.shop.example',
    'mylocalhost',
    '2130706433',
    '0x7f.0.0.1',
  ])('responds with 421 to the Host %s', async (host) => {
    const { send, expectUnharmed } = await openServer()
    expectProblem(await send(get('/v1/inventory', host)), 421, 'host_not_allowed')
    await expectUnharmed()
  })

  test.each(['/v1/inventory', '/sandbox/snapshot', '/', '/healthz', '/of-a-user-handler'])(
    'names the option that accepts a host, for %s',
    async (path) => {
      const handlers = [http.get('/of-a-user-handler', () => new HttpResponse('x'))]
      const { send } = await openServer({ handlers })
      const response = await send(get(path, 'shop.example:4010'))
      expect(JSON.parse(response.text)).toEqual({
        code: 'host_not_allowed',
        message:
          'the Host header must name this machine, found "shop.example" (string); start with --allowed-hosts shop.example to accept it',
        status: 421,
      })
    },
  )

  test('does not respond to a page that reaches it by DNS rebinding', async () => {
    // The page and the server have the same origin for the browser, so that CORS does not apply.
    const rebound = get('/sandbox/snapshot', 'attacker.example')
    const unprotected = await openServer({ allowedHosts: true })
    expect(JSON.parse((await unprotected.send(rebound)).text)).toHaveProperty('pets')
    const { send } = await openServer()
    expect((await send(rebound)).text).not.toContain('pets')
  })

  test.each([
    [{ allowedHosts: ['shop.example'] }, 'shop.example', 'www.shop.example'],
    [{ allowedHosts: ['Shop.Example'] }, 'SHOP.example', 'xshop.example'],
    [{ allowedHosts: ['.shop.example'] }, 'a.b.shop.example', 'xshop.example'],
    [{ allowedHosts: ['.shop.example'] }, 'shop.example', 'shop.example.test'],
    [{ publicUrl: 'https://sandbox.example:8443/petstore' }, 'sandbox.example', 'shop.example'],
  ] satisfies [SandboxServerOptions, string, string][])(
    'with %j accepts the Host %s and not %s',
    async (options, accepted, rejected) => {
      const { send } = await openServer(options)
      expect(await send(get('/v1/inventory', accepted))).toMatchObject({ status: 200 })
      expect(await send(get('/v1/inventory', rejected))).toMatchObject({ status: 421 })
    },
  )

  test('is also one that listens on the name localhost', async () => {
    const { url } = await openServer({}, { host: 'localhost' })
    const send = createHttpClient(url)
    const getStatus = async (headers: Record<string, string>) =>
      (await send('GET /healthz', { headers })).status
    expect(await getStatus({})).toBe(200)
    expect(await getStatus({ Host: 'shop.example' })).toBe(421)
  })
})

describe('a server that other machines can reach', () => {
  test('accepts every Host', async () => {
    const { send } = await openServer({}, { host: '0.0.0.0' })
    expect(await send(get('/v1/inventory', 'sandbox.svc.cluster'))).toMatchObject({ status: 200 })
  })

  test('accepts only the allowed hosts if the option is set', async () => {
    const options = { allowedHosts: ['sandbox.svc.cluster'] }
    const { send } = await openServer(options, { host: '0.0.0.0' })
    expect(await send(get('/v1/inventory', 'sandbox.svc.cluster'))).toMatchObject({ status: 200 })
    expect(await send(get('/v1/inventory', '192.0.2.7'))).toMatchObject({ status: 200 })
    expect(await send(get('/v1/inventory', 'shop.example'))).toMatchObject({ status: 421 })
  })
})
