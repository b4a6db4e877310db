import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'

/** Tests of the files in deploy/, with nginx, openssl, curl and Chromium. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    include: ['test/deploy/*.test.ts'],
    // Many tests wait for programs that they start, so no processor is left out.
    maxWorkers: '100%',
    // Installing the development dependencies takes up to a minute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
