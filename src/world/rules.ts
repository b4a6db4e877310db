import { z } from 'zod'
import { createInventoryUpdateSchema } from '../contract/schemas.js'

/** What a scenario may change about assumptions that are rules of behaviour. */
export const rulesSchema = z.strictObject({
  /** Bounds on `quantity` (A02). */
  quantity: z
    .strictObject({
      minimum: z.int().default(0),
      maximum: z.int().default(Number.MAX_SAFE_INTEGER),
    })
    .refine(({ minimum, maximum }) => minimum <= maximum, {
      error: 'a minimum that is not above the maximum',
    })
    .prefault({}),
  /** When a key is banned, and for how long (A08). */
  ban: z
    .strictObject({
      rejections: z.int().min(1).default(10),
      seconds: z.int().min(1).max(31_536_000).default(300),
    })
    .prefault({}),
  /** The status of a sent message's response (A10). */
  messageStatus: z.literal([200, 201, 202]).default(200),
  /** Other fields in the body of updateInventory (A11). */
  additionalFields: z.enum(['reject', 'ignore']).default('reject'),
})
export type RuleSettings = z.output<typeof rulesSchema>

/** The rules of a world, ready for use. */
export type Rules = ReturnType<typeof createRules>

/** Makes the rules ready: what depends on them is made once, not with each call. */
export function createRules(settings: RuleSettings) {
  return {
    ...settings,
    inventoryUpdateSchema: createInventoryUpdateSchema({
      ...settings.quantity,
      additionalFields: settings.additionalFields,
    }),
  }
}
