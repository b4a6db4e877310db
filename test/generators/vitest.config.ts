import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'

/** Tests of the OpenAPI documents with generators, importers and validators. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    include: ['test/generators/*.test.ts'],
    fileParallelism: false,
    // Installing the packages takes up to two minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
