import { createSessionStore } from '../../src/browser/session-store.js'
import { testStore } from './conformance.js'
import { FakeStorage } from './fake-storage.js'

testStore('session storage', async () => {
  const storage = new FakeStorage()
  return { open: async () => createSessionStore(storage, 'prefix'), remove: async () => {} }
})
