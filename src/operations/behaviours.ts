import type { OperationId } from '../contract/operations.js'
import type { Behaviour } from './behaviour.js'
import { getPet } from './get-pet.js'
import { listInventory } from './list-inventory.js'
import { listOrders } from './list-orders.js'
import { sendMessage } from './send-message.js'
import { updateInventory } from './update-inventory.js'

/** What each operation of the contract does; the compiler asks for one for each row. */
export const behaviours: Readonly<Record<OperationId, Behaviour>> = {
  listInventory,
  updateInventory,
  getPet,
  listOrders,
  sendMessage,
}
