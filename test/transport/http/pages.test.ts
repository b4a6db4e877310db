import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { downgrade } from '../../../src/service/openapi/downgrade.js'
import { SandboxServer } from '../../../src/transport/http/server.js'
import { toStartPage } from '../../../src/transport/http/start-page.js'
import { expectProblem, openServer, toRequest } from './support/open-server.js'
import { RawClient } from './support/raw-client.js'

test('/ is the console, which allows neither content of other origins nor framing', async () => {
  const built = new URL('../../../dist/console/', import.meta.url)
  const response = await fetch(`http://127.0.0.1:${await openWithConsole(built)}/`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.has('x-powered-by')).toBe(false)
  expect(await response.text()).toContain('<script type="module"')
})

test('/openapi.json is the OpenAPI document with the addresses of the server', async () => {
  const { fetch } = await openServer()
  const document = await (await fetch('/openapi.json')).json()
  expect(document.openapi).toMatch(/^3\.1/)
  expect(JSON.stringify(document)).toContain('/v1')
})

test('/openapi.3.0.json is the same document in OpenAPI 3.0', async () => {
  const { fetch } = await openServer()
  const response = await fetch('/openapi.3.0.json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const served: unknown = await response.json()
  expect(served).toMatchObject({ openapi: expect.stringMatching(/^3\.0\.\d$/) })
  expect(served).toEqual(downgrade(await (await fetch('/openapi.json')).json()))
})

test.each(['/healthz', '/readyz'])('%s requires no key', async (path) => {
  const { send } = await openServer()
  expect(await send(toRequest(`GET ${path}`))).toMatchObject({ status: 200 })
  expect(await send(toRequest(`HEAD ${path}`), 'HEAD')).toMatchObject({ status: 200 })
})

test.each([
  ['GET /nope', 404, 'route_not_found'],
  ['GET /V1/inventory', 404, 'route_not_found'],
  ['GET /v1x/inventory', 404, 'route_not_found'],
  ['GET /healthz/', 404, 'route_not_found'],
  ['GET /%2e%2e/%2e%2e/package.json', 404, 'route_not_found'],
  ['GET /../package.json', 404, 'route_not_found'],
  ['GET /..%2fserver.ts', 404, 'route_not_found'],
  ['GET /.env', 404, 'route_not_found'],
  ['GET /%zz', 404, 'route_not_found'],
  ['GET /%00', 404, 'route_not_found'],
  ['POST /healthz', 405, 'method_not_allowed'],
  ['DELETE /', 405, 'method_not_allowed'],
  ['PROPFIND /', 405, 'method_not_allowed'],
  ['OPTIONS /nope', 404, 'route_not_found'],
] as const)('%s responds with %s %s as JSON', async (line, status, code) => {
  const { send, expectUnharmed } = await openServer()
  const response = await send(toRequest(line))
  expectProblem(response, status, code)
  expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : undefined)
  await expectUnharmed()
})

describe('the start page, if the console was not built', () => {
  test('lists the addresses with the Host of the request', async () => {
    const port = await openWithoutConsole()
    const request = toRequest('GET /').replace('Host: localhost', 'Host: my-shop.test:8080')
    const client = new RawClient(port)
    onTestFinished(() => client.abort())
    const { status, headers, text } = await client.send(request).response()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(text).toContain('<code>http://my-shop.test:8080/staging/v1</code>')
    expect(text).toContain('http://my-shop.test:8080/v1/inventory')
    expect(text).toContain('<code>sbx_free</code>')
  })

  test('is not sent for a Host with markup', async () => {
    const client = new RawClient(await openWithoutConsole())
    onTestFinished(() => client.abort())
    const response = await client.send('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n').response()
    expectProblem(response, 400, 'malformed_request')
  })

  test('escapes its origin', () => {
    const page = toStartPage("http://a\"><script>alert('&')</script>")
    expect(page).not.toContain('<script>')
    expect(page).toContain(
      '<code>http://a&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;/v1</code>',
    )
  })
})

/** Starts a server whose directory of static files does not exist. */
function openWithoutConsole(): Promise<number> {
  return openWithConsole(new URL('no-console/', import.meta.url))
}

/** Starts a server with a directory of static files. Returns its port. */
async function openWithConsole(consoleDirectory: URL): Promise<number> {
  const server = new SandboxServer({
    sandbox: await createSandbox(),
    handlers: [],
    limits: {},
    hosts: { allowedHosts: ['my-shop.test'] },
    consoleDirectory,
  })
  onTestFinished(() => server.close())
  return Number(new URL(await server.listen({ port: 0 })).port)
}
