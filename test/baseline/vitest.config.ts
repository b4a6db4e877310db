import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'

/** Compares this build with a release, which run.js installs. */
export default defineConfig({
  root: dirname(dirname(import.meta.dirname)),
  resolve: { alias: bundledData },
  test: {
    include: ['test/baseline/release.test.ts'],
    testTimeout: 600_000,
  },
})
