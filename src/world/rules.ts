import { z } from 'zod'
import { lazy } from '../contract/lazy.js'
import { createInventoryUpdateSchema } from '../contract/schemas.js'

/** The rules of a scenario that states none. */
export const defaultRules = {
  quantity: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ban: { rejections: 10, seconds: 300 },
  messageStatus: 200,
  additionalFields: 'reject',
  inventoryUpdate: 'current',
} as const

/** Bounds on the quantity in updateInventory. */
const quantitySchema = lazy(() =>
  z
    .strictObject({
      minimum: z
        .int()
        .default(defaultRules.quantity.minimum)
        .describe('Minimum stock count that updateInventory accepts.'),
      maximum: z
        .int()
        .default(defaultRules.quantity.maximum)
        .describe('Maximum stock count that updateInventory accepts.'),
    })
    .refine(({ minimum, maximum }) => minimum <= maximum, {
      error: 'an object whose minimum is at most its maximum',
    })
    .prefault({})
    .describe('Bounds on the quantity in updateInventory (A02), not in scenarios.'),
)

const banSchema = lazy(() =>
  z
    .strictObject({
      rejections: z
        .int()
        .min(1)
        .default(defaultRules.ban.rejections)
        .describe('Number of rejected requests in one window after which the key is banned.'),
      seconds: z
        .int()
        .min(1)
        .max(31_536_000)
        .default(defaultRules.ban.seconds)
        .describe('Length of a ban, in seconds.'),
    })
    .prefault({})
    .describe('When a key is banned, and for how long (A08).'),
)

/** Schema of the assumptions that a scenario can change. */
export const rulesSchema = lazy(() =>
  z.strictObject({
    quantity: quantitySchema(),
    ban: banSchema(),
    messageStatus: z
      .literal([200, 201, 202])
      .default(defaultRules.messageStatus)
      .describe('HTTP status of a successful sendMessage response (A10).'),
    additionalFields: z
      .enum(['reject', 'ignore'])
      .default(defaultRules.additionalFields)
      .describe('How updateInventory treats unknown fields in its body (A11).'),
    inventoryUpdate: z
      .enum(['current', 'next'])
      .default(defaultRules.inventoryUpdate)
      .describe(
        'Request shape of updateInventory, to rehearse a change: current, {"quantity": 25}, or next, {"stock": {"quantity": 25}} (A24).',
      ),
  }),
)
export type RuleSettings = z.output<ReturnType<typeof rulesSchema>>

/** Rules with the values derived from them. */
export type Rules = ReturnType<typeof createRules>

/** Adds the request schema that follows from the rules. */
export function createRules(settings: RuleSettings) {
  const { quantity, additionalFields, inventoryUpdate } = settings
  return {
    ...settings,
    inventoryUpdateSchema: lazy(() =>
      createInventoryUpdateSchema({ ...quantity, additionalFields, inventoryUpdate }),
    ),
  }
}
