import { describe, expect } from 'vitest'
import type { Suite } from '../../../support/suite.js'

/** Spec §4.3: GET /store/orders. */
export function describeListOrders({ open, assumption }: Suite): void {
  describe('listOrders', () => {
    assumption(
      'A04',
      'an order is id, petId, quantity, shipDate, status and complete',
      async () => {
        const { send } = await open()
        const { json } = await send({ operation: 'listOrders' })
        const [first, , third, , fifth] = json as unknown[] // the client found an array
        expect(first).toEqual({
          id: 1001,
          petId: 4,
          quantity: 1,
          shipDate: '2026-01-12T09:30:00.000Z',
          status: 'delivered',
          complete: true,
        })
        expect([third, fifth]).toMatchObject([{ status: 'approved' }, { status: 'placed' }])
      },
    )
  })
}
