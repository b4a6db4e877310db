import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createDirectoryStore } from '../../src/store/directory.js'
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

const directories: string[] = []
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true })
})

describeService(
  createStoredTransport('a directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-suite-'))
    directories.push(directory)
    return [await createDirectoryStore({ directory, now: Date.now })]
  }),
)
