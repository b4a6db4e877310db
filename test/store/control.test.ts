import { describeControl } from '../control/control.js'
import { MemoryStore } from '../support/memory-store.js'
import { createStoredTransport } from './transports.js'

describeControl(createStoredTransport('a stored world', async () => [new MemoryStore(true)]))

describeControl(
  createStoredTransport('three replicas', async () => {
    const store = new MemoryStore(false)
    return [store, store, store]
  }),
)
