import { startSandbox } from '../../../src/browser.js'
import { addresses } from '../../../src/service/addresses.js'
import { createFetchClient } from '../../support/fetch-client.js'
import type { Transport } from '../../support/transport.js'

/** Requests of this page through the service worker, to another origin. */
export const workerTransport = createPageTransport('a service worker', true)

/** Requests of this page, whose `fetch` msw replaces. */
export const fetchTransport = createPageTransport('fetch of a page', false)

function createPageTransport(name: string, worker: boolean): Transport {
  return {
    name,
    async open(options) {
      const sandbox = await startSandbox({ ...options, worker, quiet: true, persist: false })
      const urls = {
        api: addresses.api.url,
        staging: addresses.staging.url,
        quickstart: addresses.quickstart.url,
      }
      const send = createFetchClient((input, init) => fetch(input, init))
      return { sandbox, urls, send, close: () => sandbox.stop() }
    },
  }
}
