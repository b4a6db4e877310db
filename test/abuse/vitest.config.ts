import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'
import { toRun } from './run.js'

export default defineConfig(({ mode }) => {
  const run = toRun(mode)
  return {
    root: dirname(dirname(import.meta.dirname)),
    test: {
      include: ['test/abuse/**/*.test.ts'],
      provide: { run },
      // Trials measure times, so they run one after the other.
      fileParallelism: false,
      testTimeout: 600_000,
      hookTimeout: 30_000,
    },
  }
})
