import * as z from 'zod/mini'
import { type OrderState, orderRecordSchema, recordModels } from '../schemas.js'
import type { Operation } from './operation.js'

/** Lists every store order (spec §4.3), in the order of the scenario (A19). */
export const listOrders: Operation = {
  method: 'GET',
  path: '/store/orders',
  addresses: ['api', 'staging'],
  resource: 'Store',
  section: '4.3',
  summary: 'List store orders',
  description: 'Lists the store orders.',
  response: {
    description: 'One record per order.',
    body: {
      schema: z.array(orderRecordSchema),
      example: [
        {
          id: 1001,
          petId: 4,
          quantity: 1,
          shipDate: '2026-01-12T09:30:00.000Z',
          status: 'delivered',
          complete: true,
        },
        recordModels.orders.example,
      ],
    },
  },
  assumptions: ['A04', 'A19'],
  run: ({ world }) => ({ body: world.db.orders.toJson(toOrderJson) }),
}

/** Serializes an order. The ids become JSON numbers without loss of precision. */
function toOrderJson({ id, petId, ...others }: OrderState): string {
  return `{"id":${id},"petId":${petId},${JSON.stringify(others).slice(1)}`
}
