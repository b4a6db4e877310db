import type { Check } from './check.js'
import { addressChecks } from './checks/addresses.js'
import { authenticationChecks } from './checks/authentication.js'
import { chargeChecks } from './checks/charges.js'
import { everyResponseChecks } from './checks/every-response.js'
import { exhaustingChecks, limitChecks } from './checks/limits.js'
import { listInventoryChecks } from './checks/list-inventory.js'
import { petAndOrderChecks } from './checks/pets-and-orders.js'
import { sendMessageChecks } from './checks/send-message.js'
import { updateInventoryChecks } from './checks/update-inventory.js'

/** Every check, in the order in which they run: those that change something come later. */
export const allChecks: readonly Check[] = [
  ...addressChecks,
  ...listInventoryChecks,
  ...petAndOrderChecks,
  ...authenticationChecks,
  ...limitChecks,
  ...updateInventoryChecks,
  ...sendMessageChecks,
  ...exhaustingChecks,
  ...chargeChecks,
  ...everyResponseChecks,
]
