import type { RunSettings } from './measure.js'
import type { Measurement } from './targets.js'

/**
 * What a run is for. `test`: small counts, in CI. `full`: full counts, writes docs/reliability.md.
 * `before`: small counts against the build at `ABUSE_SERVER` (the path of its cli.js) from the commit
 * `ABUSE_COMMIT`. It has no protections and must miss a target in every attack; writes before.json.
 */
export type Mode = 'test' | 'full' | 'before'

/** Settings of a run, from the mode and the seed. */
export interface Run extends RunSettings {
  readonly mode: Mode
}

const defaultSeed = 20_260_115

const limits: Readonly<Record<Mode, Omit<RunSettings, 'seed'>>> = {
  test: {
    size: 'small',
    attemptsMs: 5_000,
    limitMs: 60_000,
    completeMs: 120_000,
    settleMs: 10_000,
  },
  full: {
    size: 'full',
    attemptsMs: 25_000,
    limitMs: 60_000,
    completeMs: 400_000,
    settleMs: 10_000,
  },
  before: {
    size: 'small',
    attemptsMs: 60_000,
    limitMs: 180_000,
    completeMs: 120_000,
    settleMs: 10_000,
  },
}

/**
 * Returns the settings of a run. `ABUSE_SEED` sets the seed of all random values.
 *
 * @param mode The value of `--mode`. Tools that read the configuration use other values.
 * @throws {TypeError} If the seed is not an integer.
 */
export function toRun(mode: string): Run {
  const known = mode === 'full' || mode === 'before' ? mode : 'test'
  const seed = Number(process.env.ABUSE_SEED ?? defaultSeed)
  if (!Number.isInteger(seed)) {
    throw new TypeError(`ABUSE_SEED must be an integer, found ${process.env.ABUSE_SEED}`)
  }
  return { mode: known, seed, ...limits[known] }
}

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
  interface TaskMeta {
    measurement?: Measurement
  }
}
