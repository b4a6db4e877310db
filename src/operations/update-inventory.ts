import { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import { defineBehaviour } from './behaviour.js'
import { toItemJson } from './inventory-item.js'

/** Sets the stock quantity of one pet (spec §4.2). */
export const updateInventory = defineBehaviour<{ quantity: number }>({
  body: (world) => world.rules.inventoryUpdateSchema,
  run({ world, params, body }) {
    const { petId = '' } = params
    const item = world.db.findItem(petId)
    if (!item) throw petNotFound(petId)
    const { quantity } = body
    return {
      body: JsonText.ofAscii(toItemJson({ petId, quantity, status: item.status })),
      changes: [{ type: 'quantity.set', petId, from: item.quantity, to: quantity }],
    }
  },
})

/** The failure of an operation on a pet that the world does not have. */
export function petNotFound(petId: string): Problem {
  return new Problem('pet_not_found', `no pet has the petId ${petId} in this world`)
}
