import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'

const defaultSeed = 20_260_115

/**
 * `KILL_ROUNDS` sets how many times the server is killed, `KILL_SEED` the seed of all random values.
 * `npm run test:long` kills it 200 times.
 */
export default defineConfig(({ mode }) => ({
  root: dirname(dirname(import.meta.dirname)),
  test: {
    include: ['test/kill/**/*.test.ts'],
    provide: {
      rounds: Number(process.env.KILL_ROUNDS ?? (mode === 'full' ? 200 : 20)),
      seed: Number(process.env.KILL_SEED ?? defaultSeed),
    },
    testTimeout: 1_200_000,
    hookTimeout: 30_000,
  },
}))

declare module 'vitest' {
  interface ProvidedContext {
    rounds: number
    seed: number
  }
}
