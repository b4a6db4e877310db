import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Tests with a real Redis server, which they start: `apt-get install redis-server`. `npm run test:long`
 * executes more histories, and stops a replica for longer.
 */
export default defineConfig(({ mode }) => ({
  root: dirname(dirname(import.meta.dirname)),
  test: {
    include: ['test/redis/**/*.test.ts'],
    // Many tests wait for programs that they start, so no processor is left out.
    maxWorkers: '100%',
    provide:
      mode === 'full' ? { histories: 1_000, stopMs: 20_000 } : { histories: 100, stopMs: 5_000 },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}))

declare module 'vitest' {
  interface ProvidedContext {
    histories: number
    /** How long a replica is stopped, in milliseconds. Longer than it waits for Redis. */
    stopMs: number
  }
}
