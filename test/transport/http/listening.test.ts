import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { createSandboxServer } from '../../../src/server.js'
import { openServer } from './support/open-server.js'

test.each([
  ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ['localhost', /^http:\/\/localhost:\d+$/],
])('listen on %s returns a URL that this machine can reach', async (host, pattern) => {
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0, host })
  expect(url).toMatch(pattern)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await server.close()
})

test('listen rejects with one line if the port is in use', async () => {
  const { port } = await openServer()
  const other = await createSandboxServer()
  await expect(other.listen({ port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use`,
  )
  // It may be called again.
  expect(await other.listen({ port: 0 })).toMatch(/^http/)
  await other.close()
})

test.each([
  [{ port: 0, host: '203.0.113.1' }, 'this machine does not have the address'],
  [{ port: 0, host: 'no-such-host.invalid' }, 'the host has no known address'],
])('listen on %o rejects', async (options, reason) => {
  const server = await createSandboxServer()
  await expect(server.listen(options)).rejects.toThrow(reason)
})

test('a sandbox with the base URL * is served at the usual paths', async () => {
  const sandbox = await createSandbox({ baseUrl: '*' })
  const { fetch } = await openServer({ sandbox })
  const headers = { Authorization: 'Bearer sbx_free' }
  expect((await fetch('/v1/inventory', { headers })).status).toBe(200)
  expect((await fetch('/v1/nope', { headers })).status).toBe(404)
})
