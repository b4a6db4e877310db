import { createConnection } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { createSandboxServer } from '../../../src/server.js'
import { openServer } from './support/open-server.js'

const closed = 'cannot listen: the server is closed; create another one'
const listening = 'cannot listen: the server is already listening; create another one'
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

test('listen rejects after close', async () => {
  const { server, port } = await openServer()
  await server.close()
  await expect(server.listen({ port })).rejects.toThrow(closed)
  await server.close()
  expect(await isOpen(port)).toBe(false)
})

test('a second listen rejects, and the server stays on its first port', async () => {
  const { server, port } = await openServer()
  await expect(server.listen({ port: 0 })).rejects.toThrow(listening)
  expect(await isOpen(port)).toBe(true)
})

test('a server that is closed during the host lookup does not keep a port open', async () => {
  const server = await createSandboxServer()
  const opening = server.listen({ port: 0 })
  await server.close()
  expect(await isOpen(Number(new URL(await opening).port))).toBe(false)
})

test.each([
  [{ port: 'x' }, 'port must be an integer from 0 to 65535, found "x" (string)'],
  [{ port: 65_536 }, 'port must be an integer from 0 to 65535, found 65536 (number)'],
  [{ port: null }, 'port must be an integer from 0 to 65535, found null'],
  [{ port: 0, host: '' }, 'host must be a non-empty string, found "" (string)'],
  [{ prot: 0 }, 'prot is not an option of listen; did you mean "port"? known: port, host'],
  [4010, 'the options of listen must be an object, found 4010 (number)'],
])('listen(%j) rejects, and listen may be called again', async (options, message) => {
  const server = await createSandboxServer()
  onTestFinished(() => server.close())
  // Without types, as in JavaScript.
  await expect(Reflect.apply(server.listen, server, [options])).rejects.toThrow(
    new TypeError(message),
  )
  expect(await server.listen({ port: 0 })).toMatch(/^http/)
})

test.each([
  [{ noticeMs: -1 }, 'noticeMs must be an integer from 0 to 2147483647, found -1 (number)'],
  [{ timeoutMs: '5' }, 'timeoutMs must be an integer from 0 to 2147483647, found "5" (string)'],
  [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be an integer from 0 to 2147483647, found 2147483648'],
  [{ timeout: 5 }, 'timeout is not an option of close; did you mean "timeoutMs"?'],
  [5, 'the options of close must be an object, found 5 (number)'],
])('close(%j) rejects, and the server stays open', async (options, message) => {
  const { server, port } = await openServer()
  // Without types, as in JavaScript.
  const failure = await Reflect.apply(server.close, server, [options]).catch((e: unknown) => e)
  expect(failure).toBeInstanceOf(TypeError)
  expect(String(failure)).toContain(message)
  expect(await isOpen(port)).toBe(true)
})

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
