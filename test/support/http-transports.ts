import { addresses } from '../../src/contract/addresses.js'
import { createSandboxServer } from '../../src/server.js'
import { createFetchClient, sendByNodeHttp } from './clients.js'
import type { Client, Transport } from './transport.js'

/** Over the network, to a server of this process on a port that was free. */
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

export const httpTransport = createHttpTransport('fetch', createFetchClient(fetch))
export const httpNodeHttpTransport = createHttpTransport('node:http', sendByNodeHttp)
