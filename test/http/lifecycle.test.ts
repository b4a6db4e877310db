import { createConnection } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSandboxServer } from '../../src/server.js'

const closed = 'cannot listen: the server is closed; make another one'
const listens = 'cannot listen: the server listens already; make another one'

test('a server that is closed does not listen again', async () => {
  const { server, port } = await open()
  await server.close()
  await expect(server.listen({ port })).rejects.toThrow(closed)
  await server.close()
  expect(await isOpen(port)).toBe(false)
})

test('a server that is closing does not listen again', async () => {
  const { server } = await open()
  const closing = server.close()
  await expect(server.listen({ port: 0 })).rejects.toThrow(closed)
  await closing
})

test('a server that was closed before it listened does not listen', async () => {
  const server = await createSandboxServer()
  await server.close()
  await expect(server.listen({ port: 0 })).rejects.toThrow(closed)
})

test('a server that listens is refused a second address and keeps the first', async () => {
  const { server, port } = await open()
  await expect(server.listen({ port: 0 })).rejects.toThrow(listens)
  expect(await isOpen(port)).toBe(true)
})

test('a server that begins to listen is refused a second address', async () => {
  const server = await createSandboxServer()
  onTestFinished(() => server.close())
  const first = server.listen({ port: 0 })
  await expect(server.listen({ port: 0 })).rejects.toThrow(listens)
  expect(await first).toMatch(/^http/)
})

test('close while the host is looked up leaves no port open', async () => {
  const server = await createSandboxServer()
  const opening = server.listen({ port: 0 })
  await server.close()
  expect(await isOpen(Number(new URL(await opening).port))).toBe(false)
})

test.each([
  [{ port: 'x' }, 'port must be an integer from 0 to 65535, found "x" (string)'],
  [{ port: '4010' }, 'port must be an integer from 0 to 65535, found "4010" (string)'],
  [{ port: -1 }, 'port must be an integer from 0 to 65535, found -1 (number)'],
  [{ port: 65_536 }, 'port must be an integer from 0 to 65535, found 65536 (number)'],
  [{ port: 1.5 }, 'port must be an integer from 0 to 65535, found 1.5 (number)'],
  [{ port: Number.NaN }, 'port must be an integer from 0 to 65535, found NaN (number)'],
  [{ port: null }, 'port must be an integer from 0 to 65535, found null'],
  [{ port: 0, host: '' }, 'host must be a text that is not empty, found "" (string)'],
  [{ port: 0, host: 1 }, 'host must be a text that is not empty, found 1 (number)'],
  [{ prot: 0 }, 'prot is no option of listen; did you mean "port"? known: port, host'],
  [4010, 'what listen takes must be an object, found 4010 (number)'],
])('listen(%j) is refused, and another try is not', async (options, message) => {
  const server = await createSandboxServer()
  onTestFinished(() => server.close())
  // As a caller without types.
  await expect(Reflect.apply(server.listen, server, [options])).rejects.toThrow(
    new TypeError(message),
  )
  expect(await server.listen({ port: 0 })).toMatch(/^http/)
})

async function open() {
  const server = await createSandboxServer()
  onTestFinished(() => server.close())
  const url = await server.listen({ port: 0 })
  return { server, port: Number(new URL(url).port) }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
