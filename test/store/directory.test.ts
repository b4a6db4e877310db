import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectoryStore } from '../../src/store/directory.js'
import { testStore } from './conformance.js'

testStore('directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'))
  return {
    open: () => createDirectoryStore({ directory, now: Date.now }),
    remove: () => rm(directory, { recursive: true }),
  }
})
