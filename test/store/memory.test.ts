import { MemoryStore } from '../support/memory-store.js'
import { testSharedStore } from './conformance.js'

testSharedStore('memory', async () => {
  const store = new MemoryStore(false)
  return { open: async () => store, remove: async () => {} }
})
