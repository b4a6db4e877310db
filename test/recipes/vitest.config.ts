import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests of the projects in this repository that have packages of their own. Requires Chromium. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/recipes/*.test.ts'],
    // One project at a time. Only a project that hangs fails by its time.
    fileParallelism: false,
    testTimeout: 900_000,
  },
})
