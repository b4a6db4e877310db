import type { CommandGroup, CommandRow } from './command-row.js'
import { clockGroup } from './commands/clock.js'
import { messagesRow, ordersGroup, petsGroup } from './commands/data.js'
import { faultsGroup } from './commands/faults.js'
import { keysRow } from './commands/keys.js'
import { quotaGroup } from './commands/quota.js'
import { eventsRow, requestsGroup } from './commands/requests.js'
import { resetRow, scenariosRow, showRow, snapshotRow, useRow } from './commands/scenario.js'

/** Every command of `world` in the order of the help; the first one runs when none is named. */
export const worldRows: readonly (CommandRow | CommandGroup)[] = [
  showRow,
  scenariosRow,
  useRow,
  resetRow,
  snapshotRow,
  clockGroup,
  quotaGroup,
  faultsGroup,
  requestsGroup,
  eventsRow,
  petsGroup,
  ordersGroup,
  messagesRow,
  keysRow,
]
