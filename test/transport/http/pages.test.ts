import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { toOpenApi } from '../../../src/service/openapi/service.js'
import { SandboxServer } from '../../../src/transport/http/server.js'
import { expectProblem, openServer, toRequest } from './support/open-server.js'

test('/openapi.3.0.json is the same document in OpenAPI 3.0', async () => {
  const { fetch } = await openServer()
  const response = await fetch('/openapi.3.0.json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const served: unknown = await response.json()
  const { servers } = (await (await fetch('/openapi.json')).json()) as { servers: object }
  expect(served).toMatchObject({ openapi: expect.stringMatching(/^3\.0\.\d$/), servers })
  expect(served).toMatchObject({ components: toOpenApi({ openapi: '3.0' }).components })
})

test.each([
  ['GET /v1x/inventory', 404, 'route_not_found'],
  ['GET /healthz/', 404, 'route_not_found'],
  ['GET /%2e%2e/%2e%2e/package.json', 404, 'route_not_found'],
  ['GET /../package.json', 404, 'route_not_found'],
  ['GET /..%2fserver.ts', 404, 'route_not_found'],
  ['GET /.env', 404, 'route_not_found'],
  ['GET /%zz', 404, 'route_not_found'],
  ['GET /%00', 404, 'route_not_found'],
  ['DELETE /', 405, 'method_not_allowed'],
  ['PROPFIND /', 405, 'method_not_allowed'],
] as const)('%s responds with %s %s as JSON', async (line, status, code) => {
  const { send, expectUnharmed } = await openServer()
  const response = await send(toRequest(line))
  expectProblem(response, status, code)
  expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : undefined)
  await expectUnharmed()
})

test('/ says how to build the console if it is not built', async () => {
  const server = new SandboxServer({
    sandbox: await createSandbox(),
    handlers: [],
    limits: {},
    hosts: {},
    consoleDirectory: new URL('no-console/', import.meta.url),
  })
  onTestFinished(() => server.close())
  const response = await fetch(await server.listen({ port: 0 }))
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('npm run build')
})

test('a request to an operation loads neither Express nor the middleware', async () => {
  const loaded: string[] = []
  vi.doMock('express', async (original) => {
    loaded.push('express')
    return await original()
  })
  vi.doMock('@mswjs/http-middleware', async (original) => {
    loaded.push('middleware')
    return await original()
  })
  vi.resetModules()
  const { createSandboxServer } = await import('../../../src/server.js')
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0 })
  await fetch(`${url}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
  expect(loaded).toEqual([])
  await fetch(`${url}/openapi.json`)
  expect(loaded).toEqual(['express'])
  await server.close()
})
