import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { bundledData } from '../support/bundled-data.js'

/** The tests that run for each mutant: they are fast and start no servers and no programs. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  resolve: { alias: bundledData },
  test: {
    include: [
      'test/{engine,service,world}/**/*.test.ts',
      'test/conformance/{control,service}/fetch.test.ts',
      'test/store/{dropped,follow,memory}.test.ts',
    ],
    // They replace modules, which needs a worker for each file.
    exclude: [
      'test/service/timers.test.ts',
      'test/world/scenario/{added-plan,lazy-generator,limits}.test.ts',
    ],
    isolate: false,
    testTimeout: 60_000,
  },
})
