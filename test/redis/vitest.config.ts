import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Tests with a real Redis server, which they start: `apt-get install redis-server`. `npm run test:long`
 * executes more histories.
 */
export default defineConfig(({ mode }) => ({
  root: dirname(dirname(import.meta.dirname)),
  test: {
    include: ['test/redis/**/*.test.ts'],
    provide: { histories: mode === 'full' ? 1_000 : 100 },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
}))

declare module 'vitest' {
  interface ProvidedContext {
    histories: number
  }
}
