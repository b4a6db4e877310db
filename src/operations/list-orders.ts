import { JsonText } from '../contract/json-text.js'
import type { WorldState } from '../world/world.js'
import { defineBehaviour } from './behaviour.js'
import { toRecordJson } from './record.js'

/** Lists every store order (spec §4.3), in the scenario's order (A19). */
export const listOrders = defineBehaviour({
  run: ({ world }) => ({
    body: world.cached('listOrders', world.db.ordersRevision, () => toOrdersJson(world)),
  }),
})

function toOrdersJson(world: WorldState): JsonText {
  const orders = world.db.orders().map((order) => toRecordJson(order, ['id', 'petId']))
  return new JsonText(`[${orders.join(',')}]`)
}
