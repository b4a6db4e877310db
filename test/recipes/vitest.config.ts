import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Tests of the projects in this repository that have packages of their own. Requires Chromium.
 * `npm run test:long` tests them all, also those that take minutes.
 */
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/recipes/*.test.ts'],
    provide: { testsAllProjects: mode === 'full' },
    // One project at a time. Only a project that hangs fails by its time.
    fileParallelism: false,
    testTimeout: 900_000,
  },
}))

declare module 'vitest' {
  interface ProvidedContext {
    testsAllProjects: boolean
  }
}
