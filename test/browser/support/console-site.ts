import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { type AccessOptions, createAccess } from '../../../src/http/access.js'
import { SandboxServer } from '../../../src/http/server.js'
import { createNodeSandbox } from '../../../src/in-process/node.js'
import type { InProcessSandbox } from '../../../src/index.js'
import type { Site } from './site.js'

/** A sandbox over HTTP with the built console. */
export interface ConsoleSite extends Site {
  readonly sandbox: InProcessSandbox
  /** Where a reverse proxy serves the same sandbox below a path prefix; ends in a slash. */
  readonly proxyUrl: string
  /** Sends a request from outside the page. */
  send(path: string, apiKey: string, init?: RequestInit): Promise<Response>
  /** Stops the server. */
  stop(): Promise<void>
  /** Starts the server again at the same port, with the same worlds. */
  start(): Promise<void>
}

export async function openConsoleSite(access?: AccessOptions): Promise<ConsoleSite> {
  const outDir = await mkdtemp(join(tmpdir(), 'petstore-console-'))
  const root = fileURLToPath(new URL('../../../src/console/', import.meta.url))
  const configFile = join(root, 'vite.config.ts')
  await build({ root, configFile, logLevel: 'warn', build: { outDir } })

  const sandbox = await createNodeSandbox({}, access && createAccess(access))
  const createServer = () =>
    new SandboxServer({
      sandbox,
      handlers: [],
      limits: {},
      hosts: {},
      consoleDirectory: pathToFileURL(`${outDir}/`),
    })
  let server = createServer()
  const url = await server.listen({ port: 0 })
  const proxy = await openProxy(url, '/petstore')
  const { port } = proxy.address() as AddressInfo // it listens on a port
  const stop = () => server.close()
  return {
    url,
    sandbox,
    proxyUrl: `http://127.0.0.1:${port}/petstore/`,
    send: (path, apiKey, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${apiKey}` },
      }),
    stop,
    async start() {
      server = createServer()
      await server.listen({ port: Number(new URL(url).port) })
    },
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await stop()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** A reverse proxy that removes the prefix from each path, and responds with 404 to others. */
async function openProxy(target: string, prefix: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end()
      return
    }
    const forwarded = request(
      target + url.slice(prefix.length),
      { method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}
