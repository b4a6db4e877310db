import type { Trial } from '../trial.js'
import { histories } from './histories.js'
import { interleavings } from './interleavings.js'
import { manyLabels, manyWorlds } from './many-worlds.js'
import { mutations } from './mutations.js'
import { planLimits } from './plan-limits.js'
import { snapshots } from './snapshots.js'

/** Every check of correctness, in the order of docs/reliability.md. */
export const checks: readonly Trial[] = [
  mutations,
  interleavings,
  histories,
  planLimits,
  snapshots,
  manyWorlds,
  manyLabels,
]
