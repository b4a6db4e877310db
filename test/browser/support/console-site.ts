import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InProcessSandbox } from '../../../src/index.js'
import { type AccessOptions, createAccess } from '../../../src/transport/http/access.js'
import { SandboxServer } from '../../../src/transport/http/server.js'
import {
  createNodeSandbox,
  type NodeSandboxOptions,
} from '../../../src/transport/in-process/node.js'
import type { Site } from './site.js'

/** A sandbox over HTTP with the built console. */
export interface ConsoleSite extends Site {
  readonly sandbox: InProcessSandbox
  /** Where a reverse proxy serves the same sandbox below a path prefix; ends in a slash. */
  readonly proxyUrl: string
  /** Lets the proxy respond by itself to requests whose path has this beginning; undefined: to none. */
  failProxy(failure: ProxyFailure | undefined): void
  /** Sends a request from outside the page. */
  send(path: string, apiKey: string, init?: SentInit): Promise<Response>
}

/** Options of `fetch`, with the body as a value. */
interface SentInit extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** What a reverse proxy does instead of forwarding a request. */
export interface ProxyFailure {
  /** Beginning of the affected paths, below the prefix: `/sandbox`. */
  readonly path: string
  /** Status of the HTML page that it sends; `closed`: it closes the connection. */
  readonly status: number | 'closed'
}

/** The console as `npm run build` makes it. */
const consoleDirectory = new URL('../../../dist/console/', import.meta.url)

export async function openConsoleSite(
  access?: AccessOptions,
  options: NodeSandboxOptions = {},
): Promise<ConsoleSite> {
  const sandbox = await createNodeSandbox(options, access && createAccess(access))
  const parts = { sandbox, handlers: [], limits: {}, hosts: {}, consoleDirectory }
  const server = new SandboxServer(parts)
  const url = await server.listen({ port: 0 })
  let failure: ProxyFailure | undefined
  const proxy = await openProxy(url, '/petstore', () => failure)
  const { port } = proxy.address() as AddressInfo // it listens on a port
  return {
    url,
    sandbox,
    failProxy(next) {
      failure = next
      // Ends the event streams.
      proxy.closeAllConnections()
    },
    proxyUrl: `http://127.0.0.1:${port}/petstore/`,
    send(path, apiKey, { json, ...init } = {}) {
      const isJson = json !== undefined
      const type = isJson ? { 'Content-Type': 'application/json' } : {}
      const headers = { ...type, ...init.headers, Authorization: `Bearer ${apiKey}` }
      const body = isJson ? JSON.stringify(json) : (init.body ?? null)
      return fetch(`${url}${path}`, { ...init, headers, body })
    },
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.close()
    },
  }
}

/**
 * Opens a reverse proxy that removes the prefix from each path, and responds with 404 to others.
 *
 * @param findFailure Returns what the proxy does instead; undefined to forward each request.
 */
async function openProxy(
  target: string,
  prefix: string,
  findFailure: () => ProxyFailure | undefined,
): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end()
      return
    }
    const path = url.slice(prefix.length)
    const failure = findFailure()
    if (failure && path.startsWith(failure.path)) {
      if (failure.status === 'closed') incoming.socket.destroy()
      else sendPage(outgoing, failure.status)
      return
    }
    const forwarded = request(target + path, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

/** Sends an error page, as a proxy does. */
function sendPage(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>An error page</h1>')
}
