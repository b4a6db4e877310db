import { setupServer } from 'msw/node'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import { createSandboxServer } from '../../src/server.js'
import { addresses } from '../../src/service/addresses.js'
import { inProcessUrls } from './direct-transport.js'
import { createFetchClient } from './fetch-client.js'
import { sendByAxios, sendByNodeHttp } from './http-client.js'
import type { Client, Place, Transport } from './transport.js'

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
      const urls = {
        api: `${url}${addresses.api.httpPath}`,
        staging: `${url}${addresses.staging.httpPath}`,
        quickstart: `${url}${addresses.quickstart.httpPath}`,
      }
      return { sandbox: server.sandbox, urls, send, close: () => server.close() }
    },
  }
}

export const httpTransport = createHttpTransport('fetch', sendByFetch)
export const httpNodeHttpTransport = createHttpTransport('node:http', sendByNodeHttp)
