import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests of the documentation site in Chromium. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/site/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
