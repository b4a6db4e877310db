import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { APIRequestContext, Request } from '@playwright/test'
import type { InProcessSandbox } from '../transport/in-process/sandbox.js'

type FetchOptions = Parameters<APIRequestContext['fetch']>[1]

/**
 * Passes the requests of `page.request` or `request` for a sandbox to it, through an HTTP server on a
 * free port of this machine, which starts with the first request. Playwright therefore treats the
 * responses like any others.
 *
 * @param reject Returns an error for a request to no address of the sandbox that must fail.
 * @returns A function that stops the server.
 */
export function answerRequests(
  context: APIRequestContext,
  sandbox: InProcessSandbox,
  baseUrl: string | undefined,
  reject: (method: string, url: string) => Error | undefined,
): () => void {
  const original = context.fetch
  const send = original.bind(context)
  let server: Promise<Server> | undefined
  context.fetch = async <Body>(target: string | Request, options: FetchOptions = {}) => {
    const sent = typeof target === 'string' ? undefined : target
    const url = toUrl(typeof target === 'string' ? target : target.url(), baseUrl)
    const method = options.method ?? sent?.method() ?? 'GET'
    if (!url || !sandbox.answers(url.href)) {
      const error = url && reject(method, url.href)
      if (error) throw error
      return send<Body>(target, options)
    }
    server ??= listen(sandbox)
    const address = `${toOrigin(await server)}/${encodeURIComponent(url.origin)}`
    const data = sent?.postDataBuffer()
    const initial = sent && { headers: sent.headers(), ...(data && { data }) }
    const path = `${url.pathname}${url.search}`
    const response = await send<Body>(address + path, { ...initial, ...options, method })
    response.url = () => url.href
    return response
  }
  return () => {
    context.fetch = original
    void server?.then((open) => {
      open.close()
      open.closeAllConnections()
    })
  }
}

function toUrl(url: string, baseUrl: string | undefined): URL | undefined {
  return URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : undefined
}

/** Starts a server for URLs whose first segment is the encoded origin of the original URL. */
function listen(sandbox: InProcessSandbox): Promise<Server> {
  const server = createServer((request, response) => {
    respond(request, response, sandbox).catch(() => response.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

function toOrigin(server: Server): string {
  const { port } = server.address() as AddressInfo // it listens on a port
  return `http://127.0.0.1:${port}`
}

/** Rejects if a fault or the client closes the connection. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  sandbox: InProcessSandbox,
): Promise<void> {
  const controller = new AbortController()
  // Also emitted after the response, when it has no effect.
  response.once('close', () => controller.abort())
  const { method = 'GET', url = '' } = request
  const [, origin = '', target = ''] = /^\/([^/]*)(.*)$/.exec(url) ?? []
  const chunks: Uint8Array[] = await request.toArray()
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null
  const init = { method, headers: toHeaders(request), body, signal: controller.signal }
  const answer = await sandbox.send(`${decodeURIComponent(origin)}${target}`, init)
  const headers = Object.fromEntries(answer.headers)
  response.writeHead(answer.status, answer.statusText, headers)
  if (!answer.body) return void response.end()
  // The same class, but declared once for Node.js and once for browsers.
  const readable = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
  await pipeline(readable, response)
}

/** Headers of the connection, which the original request did not have. */
const ownHeaders = ['host', 'connection', 'content-length', 'transfer-encoding']

function toHeaders({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    ownHeaders.includes(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
}
