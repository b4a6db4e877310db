import type { Trial } from '../trial.js'
import { histories } from './histories.js'
import { manyLabels, manyWorlds } from './many-worlds.js'
import { mutations } from './mutations.js'

/** Every check of correctness, in the order of docs/reliability.md. */
export const checks: readonly Trial[] = [mutations, histories, manyWorlds, manyLabels]
