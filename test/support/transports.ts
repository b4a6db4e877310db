import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createMiddleware } from '@mswjs/http-middleware'
import express from 'express'
import { setupServer } from 'msw/node'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import { createSandboxMiddleware, createSandboxServer } from '../../src/server.js'
import { addresses } from '../../src/service/addresses.js'
import { inProcessUrls } from './direct-transport.js'
import { createFetchClient } from './fetch-client.js'
import { sendByAxios, sendByNodeHttp } from './http-client.js'
import type { Client, Place, ServiceAddress, Transport } from './transport.js'

/** msw replaces the global `fetch`, so it is looked up for each request. */
const sendByFetch: Client = createFetchClient((input, init) => fetch(input, init))

/** In this process: msw intercepts the requests of a client. */
function createMswTransport(client: string, send: Client): Transport {
  return {
    name: `msw and ${client}`,
    async open(options: SandboxOptions): Promise<Place> {
      const sandbox = await createSandbox(options)
      const server = setupServer(...sandbox.handlers)
      server.listen({ onUnhandledRequest: 'error' })
      return { sandbox, urls: inProcessUrls, send, close: () => server.close() }
    },
  }
}

export const mswTransport = createMswTransport('fetch', sendByFetch)
export const mswAxiosTransport = createMswTransport('axios', sendByAxios)
export const mswNodeHttpTransport = createMswTransport('node:http', sendByNodeHttp)

/** Over the network, to a server in this process on a free port. */
function createHttpTransport(client: string, send: Client): Transport {
  return {
    name: `HTTP and ${client}`,
    async open(options) {
      const server = await createSandboxServer(options)
      const url = await server.listen({ port: 0 })
      return { sandbox: server.sandbox, urls: toUrls(url), send, close: () => server.close() }
    },
  }
}

export const httpTransport = createHttpTransport('fetch', sendByFetch)
export const httpNodeHttpTransport = createHttpTransport('node:http', sendByNodeHttp)

/** Returns the URLs of the addresses below a URL. */
function toUrls(url: string): Readonly<Record<ServiceAddress, string>> {
  return {
    api: `${url}${addresses.api.httpPath}`,
    staging: `${url}${addresses.staging.httpPath}`,
    quickstart: `${url}${addresses.quickstart.httpPath}`,
  }
}

/** The Connect middleware, mounted first in an application of Express 5. */
export const middlewareTransport: Transport = {
  name: 'createSandboxMiddleware and Express',
  async open(options) {
    const middleware = await createSandboxMiddleware(options)
    const { url, close } = await listen(express().disable('x-powered-by').use(middleware))
    const closeBoth = async () => {
      await middleware.close()
      await close()
    }
    return { sandbox: middleware.sandbox, urls: toUrls(url), send: sendByFetch, close: closeBoth }
  },
}

/** The msw handlers, mounted by @mswjs/http-middleware in an application of Express 5. */
export const httpMiddlewareTransport: Transport = {
  name: '@mswjs/http-middleware and Express',
  async open(options) {
    const sandbox = await createSandbox({
      baseUrl: addresses.api.httpPath,
      stagingBaseUrl: addresses.staging.httpPath,
      quickstartBaseUrl: addresses.quickstart.httpPath,
      ...options,
    })
    // It has the types of the CommonJS build of msw, which TypeScript distinguishes.
    const handlers = sandbox.handlers as never[]
    const { url, close } = await listen(
      express()
        .disable('x-powered-by')
        .use(createMiddleware(...handlers)),
    )
    return { sandbox, urls: toUrls(url), send: sendByFetch, close }
  },
}

/** Serves an application on a free port. */
async function listen(app: express.Express) {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
