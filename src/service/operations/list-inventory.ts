import * as z from 'zod/mini'
import { inventoryItemSchema } from '../schemas.js'
import type { Operation } from './operation.js'
import { toItemJson } from './update-inventory.js'

/** Lists the stock of every pet (spec §4.1), in the order of the scenario (A19). */
export const listInventory: Operation = {
  method: 'GET',
  path: '/inventory',
  addresses: ['api', 'staging'],
  resource: 'Store',
  section: '4.1',
  summary: 'List inventory',
  description: 'Lists the stock entries of all pets.',
  response: {
    description: 'One entry per pet in the store.',
    body: {
      schema: z.array(inventoryItemSchema),
      example: [
        { petId: 2, quantity: 6, status: 'available' },
        { petId: 3, quantity: 1, status: 'pending' },
        { petId: 4, quantity: 0, status: 'sold' },
      ],
    },
  },
  assumptions: ['A19'],
  run: ({ world }) => ({ body: world.db.pets.toJson(toItemJson) }),
}
