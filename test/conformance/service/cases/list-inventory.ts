import { describe, expect, test } from 'vitest'
import type { Suite } from '../../../support/suite.js'

/** Spec §4.1 and the InventoryItem of §2. */
export function describeListInventory({ open, assumption }: Suite): void {
  describe('listInventory', () => {
    test('spec §2: an InventoryItem has petId, quantity and status, and nothing else', async () => {
      const { send } = await open({
        scenario: {
          name: 'two-pets',
          pets: [
            { petId: 7, name: 'Nemo', quantity: 40, status: 'available', colour: 'orange' },
            { petId: 4, name: 'Rocky', quantity: 0, status: 'sold' },
          ],
        },
      })
      const { text } = await send({ operation: 'listInventory' })
      expect(text).toBe(
        '[{"petId":7,"quantity":40,"status":"available"},{"petId":4,"quantity":0,"status":"sold"}]',
      )
    })

    assumption('A19', 'lists have all entries, in the order of the scenario', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => ((index * 7_919) % 1_009) + 1)
      const { send } = await open({
        scenario: {
          name: 'shuffled',
          pets: ids.map((petId) => ({ petId, name: `Pet ${petId}` })),
          orders: ids.map((id) => ({ id, petId: 1 })),
        },
      })
      await send({ operation: 'updateInventory', petId: String(ids[5]), json: { quantity: 9 } })
      const inventory = await send({ operation: 'listInventory' })
      const orders = await send({ operation: 'listOrders' })
      expect(inventory.text.match(/(?<="petId":)\d+/g)).toEqual(ids.map(String))
      expect(orders.text.match(/(?<="id":)\d+/g)).toEqual(ids.map(String))
    })
  })
}
