import type { RunSettings } from './measure.js'

/** Settings of a run, from the mode and the seed. */
export interface Run extends RunSettings {
  /** Whether the counts are full, for docs/reliability.md. */
  readonly isFull: boolean
}

const defaultSeed = 20_260_115

/**
 * Returns the settings of a run. `ABUSE_SEED` sets the seed of all random values. `ABUSE_SERVER` is
 * the path of another cli.js that is attacked.
 *
 * @param mode The value of `--mode`: `full`, or another value for the small counts of CI.
 * @throws {TypeError} If the seed is not an integer.
 */
export function toRun(mode: string): Run {
  const isFull = mode === 'full'
  const seed = Number(process.env.ABUSE_SEED ?? defaultSeed)
  if (!Number.isInteger(seed)) {
    throw new TypeError(`ABUSE_SEED must be an integer, found ${process.env.ABUSE_SEED}`)
  }
  return {
    isFull,
    seed,
    size: isFull ? 'full' : 'small',
    attemptsMs: isFull ? 25_000 : 5_000,
    limitMs: 60_000,
    completeMs: isFull ? 400_000 : 120_000,
    settleMs: 10_000,
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
