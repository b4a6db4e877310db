import { clock } from './clock.js'
import type { WorldCommand, WorldGroup } from './command.js'
import { addDerivedCommands } from './derive.js'
import { faults } from './faults.js'
import { keys } from './keys.js'
import { quota } from './quota.js'
import { report } from './report.js'
import { events, requests } from './requests.js'
import { reset, show, snapshot, use } from './scenario.js'

/** Every command of `world`, in the order of the help. The first one is the default. */
export const worldCommands: readonly (WorldCommand | WorldGroup)[] = addDerivedCommands([
  show,
  use,
  reset,
  snapshot,
  clock,
  quota,
  faults,
  requests,
  events,
  report,
  keys,
])
