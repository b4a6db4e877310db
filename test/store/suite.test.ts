import { describeService } from '../suite/service.js'
import { MemoryStore } from '../support/memory-store.js'
import { createStoredTransport } from './transports.js'

describeService(createStoredTransport('a stored world', async () => [new MemoryStore(true)]))

describeService(
  createStoredTransport('three replicas', async () => {
    const store = new MemoryStore(false)
    return [store, store, store]
  }),
)
