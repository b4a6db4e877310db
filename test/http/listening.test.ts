import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { createSandboxServer } from '../../src/server.js'
import { openServer } from './support/open-server.js'

test('listen gives the URL of the server', async () => {
  const { url, port } = await openServer()
  expect(url).toBe(`http://127.0.0.1:${port}`)
})

test.each([
  ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ['localhost', /^http:\/\/localhost:\d+$/],
])('listen on %s gives a URL that this machine reaches', async (host, pattern) => {
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0, host })
  expect(url).toMatch(pattern)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await server.close()
})

test('listen says in one line that a port is in use', async () => {
  const { port } = await openServer()
  const other = await createSandboxServer()
  await expect(other.listen({ port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use`,
  )
  // It may try again elsewhere.
  expect(await other.listen({ port: 0 })).toMatch(/^http/)
  await other.close()
})

test.each([
  [{ port: 65_536 }, 'port must be an integer from 0 to 65535, found 65536 (number)'],
  [{ port: 0, host: '203.0.113.1' }, 'this machine does not have the address'],
  [{ port: 0, host: 'no-such-host.invalid' }, 'no address is known for the host'],
])('listen on %o is refused', async (options, reason) => {
  const server = await createSandboxServer()
  await expect(server.listen(options)).rejects.toThrow(reason)
})

test('a server serves a sandbox that exists already', async () => {
  const sandbox = await createSandbox({ scenario: 'empty-store' })
  const { server, fetch } = await openServer({ sandbox })
  expect(server.sandbox).toBe(sandbox)
  const headers = { Authorization: 'Bearer sbx_free' }
  expect(await (await fetch('/v1/inventory', { headers })).json()).toEqual([])
  expect(sandbox.world.journal.size).toBe(1)
})

test('a sandbox whose address is everything is served all the same', async () => {
  const sandbox = await createSandbox({ baseUrl: '*' })
  const { fetch } = await openServer({ sandbox })
  const headers = { Authorization: 'Bearer sbx_free' }
  expect((await fetch('/v1/inventory', { headers })).status).toBe(200)
  expect((await fetch('/v1/nope', { headers })).status).toBe(404)
})

test('a scenario that does not fit is refused before anything listens', async () => {
  await expect(createSandboxServer({ scenario: 'nope' })).rejects.toThrow('nope')
})
