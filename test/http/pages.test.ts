import { expect, test } from 'vitest'
import { expectProblem, openServer, toRequest } from './support/open-server.js'

test('/ is a page on which nothing foreign runs and which nobody frames', async () => {
  const { fetch } = await openServer()
  const response = await fetch('/')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.has('x-powered-by')).toBe(false)
})

test('/openapi.json is the OpenAPI document, with the addresses of this server', async () => {
  const { fetch } = await openServer()
  const document = await (await fetch('/openapi.json')).json()
  expect(document.openapi).toMatch(/^3\.1/)
  expect(JSON.stringify(document)).toContain('/v1')
})

test.each(['/healthz', '/readyz'])('%s needs no key', async (path) => {
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
] as const)('%s is answered %s %s as JSON', async (line, status, code) => {
  const { send, expectUnharmed } = await openServer()
  const answer = await send(toRequest(line))
  expectProblem(answer, status, code)
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : undefined)
  await expectUnharmed()
})

test('the Host of a request cannot write into the page', async () => {
  const { send } = await openServer()
  const answer = await send('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n')
  expectProblem(answer, 400, 'malformed_request')
})
