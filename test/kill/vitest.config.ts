import { dirname } from 'node:path'
import { defineConfig } from 'vitest/config'

const defaultRounds = 200
const defaultSeed = 20_260_115

/** `KILL_ROUNDS` sets how many times the server is killed, `KILL_SEED` the seed of all random values. */
export default defineConfig({
  root: dirname(dirname(import.meta.dirname)),
  test: {
    include: ['test/kill/**/*.test.ts'],
    provide: {
      rounds: Number(process.env.KILL_ROUNDS ?? defaultRounds),
      seed: Number(process.env.KILL_SEED ?? defaultSeed),
    },
    testTimeout: 1_200_000,
    hookTimeout: 30_000,
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    rounds: number
    seed: number
  }
}
