import { createSandbox } from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'
import { createFetchClient } from './fetch-client.js'
import type { ServiceAddress, Transport } from './transport.js'

export const inProcessUrls: Readonly<Record<ServiceAddress, string>> = {
  api: addresses.api.url,
  staging: addresses.staging.url,
  quickstart: addresses.quickstart.url,
}

/** In this process, without interception. */
export const directTransport: Transport = {
  name: 'sandbox.fetch',
  async open(options) {
    const sandbox = await createSandbox(options)
    const send = createFetchClient(sandbox.fetch)
    return { sandbox, urls: inProcessUrls, send, close: () => {} }
  },
}
