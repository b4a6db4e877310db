import { z } from 'zod'
import { createInventoryUpdateSchema } from '../contract/schemas.js'

/** What a scenario may change about assumptions that are rules of behaviour. */
export const rulesSchema = z.strictObject({
  quantity: z
    .strictObject({
      minimum: z.int().default(0).describe('The least stock count that is taken.'),
      maximum: z
        .int()
        .default(Number.MAX_SAFE_INTEGER)
        .describe('The greatest stock count that is taken.'),
    })
    .refine(({ minimum, maximum }) => minimum <= maximum, {
      error: 'a minimum that is not above the maximum',
    })
    .prefault({})
    .describe('Bounds on the quantity that updateInventory takes (A02).'),
  ban: z
    .strictObject({
      rejections: z
        .int()
        .min(1)
        .default(10)
        .describe('How many rejected requests in one window bring a ban.'),
      seconds: z.int().min(1).max(31_536_000).default(300).describe('How long a ban is.'),
    })
    .prefault({})
    .describe('When a key is banned, and for how long (A08).'),
  messageStatus: z
    .literal([200, 201, 202])
    .default(200)
    .describe("The HTTP status of sendMessage's answer (A10)."),
  additionalFields: z
    .enum(['reject', 'ignore'])
    .default('reject')
    .describe('What updateInventory does with other fields in its body (A11).'),
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
