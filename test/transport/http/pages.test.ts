import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { toOpenApi } from '../../../src/service/openapi/service.js'
import { SandboxServer } from '../../../src/transport/http/server.js'
import { RawClient } from '../../support/raw-client.js'
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
  const client = new RawClient(await openWithoutConsole())
  onTestFinished(() => client.abort())
  const response = await client.send(toRequest('GET /')).response()
  expectProblem(response, 404, 'route_not_found')
  expect(response.text).toContain('npm run build')
})

test('/ is not sent for a Host with markup', async () => {
  const client = new RawClient(await openWithoutConsole())
  onTestFinished(() => client.abort())
  const response = await client.send('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n').response()
  expectProblem(response, 400, 'malformed_request')
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
