import * as z from 'zod/mini'
import { annotate } from '../annotate.js'
import { JsonText } from '../json-text.js'
import { createNotFoundProblem } from '../records.js'
import { inventoryItemSchema, type PetState } from '../schemas.js'
import type { Operation } from './operation.js'

/** Sets the stock quantity of one pet (spec §4.2). */
export const updateInventory: Operation<{ quantity: number }> = {
  method: 'PATCH',
  path: '/inventory/{petId}',
  addresses: ['api', 'staging'],
  resource: 'Store',
  section: '4.2',
  stability: 'experimental',
  summary: 'Update stock level',
  description:
    'Sets the stock quantity of one pet, to record new arrivals, returns and manual adjustments.',
  request: {
    name: 'InventoryUpdate',
    schema: z.strictObject({
      quantity: annotate(z.int(), {
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'The new stock count. A scenario can set other bounds in `rules.quantity` (A02).',
      }),
    }),
    example: { quantity: 25 },
  },
  response: {
    description: 'The updated entry.',
    body: {
      name: 'InventoryItem',
      schema: inventoryItemSchema,
      example: { petId: 7, quantity: 25, status: 'available' },
    },
  },
  errors: ['pet_not_found'],
  assumptions: ['A02', 'A11', 'A12', 'A14', 'A15', 'A24'],
  bodySchema: (world) => world.rules.inventoryUpdateSchema,
  run({ world, params, body }) {
    const { petId = '' } = params
    const pet = world.db.pets.find(petId)
    if (!pet) throw createNotFoundProblem('pets', petId)
    const { quantity } = body
    return {
      body: new JsonText(toItemJson({ petId, quantity, status: pet.status })),
      changes: [{ type: 'quantity.set', petId, from: pet.quantity, to: quantity }],
    }
  },
}

/** Serializes an InventoryItem (spec §2). The id becomes a JSON number without loss of precision. */
export function toItemJson({
  petId,
  quantity,
  status,
}: Pick<PetState, 'petId' | 'quantity' | 'status'>): string {
  return `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`
}
