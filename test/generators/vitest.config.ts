import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'

/**
 * Tests of the OpenAPI documents with generators, importers and validators. `npm run test:long` also
 * sends the requests through Prism.
 */
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    include: ['test/generators/*.test.ts'],
    provide: { usesPrism: mode === 'full' },
    fileParallelism: false,
    // Installing the packages takes up to two minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}))

declare module 'vitest' {
  interface ProvidedContext {
    usesPrism: boolean
  }
}
