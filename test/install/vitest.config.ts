import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Installs the packed package in every way that is supported, beside old and new test runners. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/install/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
  },
})
