import { JsonText } from '../contract/json-text.js'
import type { WorldState } from '../world/world.js'
import { defineBehaviour } from './behaviour.js'
import { toItemJson } from './inventory-item.js'

/** Lists the stock of every pet (spec §4.1), in the scenario's order (A19). */
export const listInventory = defineBehaviour({
  run: ({ world }) => ({
    body: world.cached('listInventory', world.db.petsRevision, () => toInventoryJson(world)),
  }),
})

function toInventoryJson(world: WorldState): JsonText {
  return JsonText.ofAscii(`[${Array.from(world.db.inventory(), toItemJson).join(',')}]`)
}
