import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests with a real Redis server, which they start: `apt-get install redis-server`. */
export default defineConfig({
  root: dirname(dirname(import.meta.dirname)),
  test: {
    include: ['test/redis/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
