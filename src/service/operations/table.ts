// Every operation of the service. Adding an operation is one file and one line here.
export { getPet } from './get-pet.js'
export { listInventory } from './list-inventory.js'
export { listOrders } from './list-orders.js'
export { sendMessage } from './send-message.js'
export { updateInventory } from './update-inventory.js'
