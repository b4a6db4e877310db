import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  createSandboxServer,
  type ListenOptions,
  type SandboxServerOptions,
} from '../../src/server.js'

/** Serves a sandbox on a free port until the end of the test. */
export async function openServer(
  options: SandboxServerOptions = {},
  listenOptions: ListenOptions = {},
) {
  const server = await createSandboxServer(options)
  onTestFinished(() => server.close({ timeoutMs: 100 }))
  const url = await server.listen({ port: 0, ...listenOptions })
  return { server, sandbox: server.sandbox, url, port: Number(new URL(url).port) }
}

/** Starts another server on a free port until the end of the test. Returns its URL. */
export async function serve(served: RequestListener | Server): Promise<string> {
  const server = typeof served === 'function' ? createServer(served) : served
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    if ('closeAllConnections' in server)
      Reflect.apply(server.closeAllConnections as () => void, server, [])
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return `http://127.0.0.1:${port}`
}

/** Returns a port that no server uses. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  server.close()
  await once(server, 'close')
  return port
}
