import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import type { Store } from '../../src/store/store.js'
import { inProcessUrls } from '../support/direct-transport.js'
import { createFetchClient } from '../support/fetch-client.js'
import type { Transport } from '../support/transport.js'

/**
 * In this process, with stored worlds. Each request reaches the next of several sandboxes. The test
 * controls and inspects the first one.
 *
 * @param openStores Returns the store of each sandbox. They have the same worlds.
 */
export function createStoredTransport(
  name: string,
  openStores: () => Promise<readonly Store[]>,
): Transport {
  return {
    name,
    async open(options) {
      const replicas: InProcessSandbox[] = []
      for (const store of await openStores())
        replicas.push(await createSandbox({ ...options, store }))
      const [first] = replicas
      if (!first) throw new Error('a stored transport needs a store')
      const clients = replicas.map((replica) => createFetchClient(replica.fetch))
      let sent = 0
      return {
        sandbox: first,
        replicas,
        urls: inProcessUrls,
        async send(request) {
          await first.save()
          sent += 1
          const response = await clients[sent % clients.length]?.(request)
          await first.save()
          return response ?? Promise.reject(new Error('no replica'))
        },
        async close() {
          for (const replica of replicas) await replica.close()
        },
      }
    },
  }
}
