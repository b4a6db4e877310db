import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { freezeDeep } from './freeze.js'

/** Bounds on the quantity in updateInventory. */
const quantitySchema = annotate(
  z.prefault(
    z
      .strictObject({
        minimum: annotate(
          z._default(z.int(), 0),
          'Minimum stock count that updateInventory accepts.',
        ),
        maximum: annotate(
          z._default(z.int(), Number.MAX_SAFE_INTEGER),
          'Maximum stock count that updateInventory accepts.',
        ),
      })
      .check(
        z.refine(({ minimum, maximum }) => minimum <= maximum, {
          error: 'an object whose minimum is at most its maximum',
        }),
      ),
    {},
  ),
  'Bounds on the quantity in updateInventory (A02), not in scenarios.',
)

const banSchema = annotate(
  z.prefault(
    z.strictObject({
      rejections: annotate(
        z._default(z.int().check(z.minimum(1)), 10),
        'Number of rejected requests in one window after which the key is banned.',
      ),
      seconds: annotate(
        z._default(z.int().check(z.minimum(1), z.maximum(31_536_000)), 300),
        'Length of a ban, in seconds.',
      ),
    }),
    {},
  ),
  'When a key is banned, and for how long (A08).',
)

/** Schema of the assumptions that a scenario can change. */
export const rulesSchema = z.strictObject({
  quantity: quantitySchema,
  ban: banSchema,
  messageStatus: annotate(
    z._default(z.literal([200, 201, 202]), 200),
    'HTTP status of a successful sendMessage response (A10).',
  ),
  additionalFields: annotate(
    z._default(z.enum(['reject', 'ignore']), 'reject'),
    'How updateInventory treats unknown fields in its body (A11).',
  ),
  inventoryUpdate: annotate(
    z._default(z.enum(['current', 'next']), 'current'),
    'Request shape of updateInventory, to rehearse a change: current, {"quantity": 25}, or next, {"stock": {"quantity": 25}} (A24).',
  ),
})
export type RuleSettings = z.output<typeof rulesSchema>

/** The rules of a scenario that states none. */
export const defaultRules = rulesSchema.parse({})

/** Rules with the values derived from them. */
export type Rules = ReturnType<typeof createRules>

/** Adds the request schema that follows from the rules. */
export function createRules(settings: RuleSettings) {
  return Object.freeze({
    ...freezeDeep(settings),
    inventoryUpdateSchema: createInventoryUpdateSchema(settings),
  })
}

/**
 * InventoryUpdate (spec §2). Additional fields are rejected by default, because the operation
 * "takes only `quantity`" (A11).
 */
function createInventoryUpdateSchema(settings: RuleSettings): z.ZodMiniType<{ quantity: number }> {
  const { minimum, maximum } = settings.quantity
  const bounds = `an integer from ${minimum} to ${maximum}`
  const isOpen = maximum === Number.MAX_SAFE_INTEGER
  // The largest exact integer is mentioned only if it was exceeded.
  const error = ({ code }: { code: string }) =>
    isOpen && code !== 'too_big' ? `an integer from ${minimum}` : bounds
  const quantity = z
    .int({ error, abort: true })
    .check(z.minimum(minimum, { error }), z.maximum(maximum, { error }))
  const current = toObject({ quantity }, settings)
  if (settings.inventoryUpdate === 'current') return current
  return z.pipe(
    toObject({ stock: current }, settings),
    z.transform(({ stock }) => stock),
  )
}

function toObject<Shape extends z.core.$ZodShape>(
  fields: Shape,
  { additionalFields }: RuleSettings,
): z.ZodMiniObject<Shape> {
  if (additionalFields === 'ignore') return z.object(fields)
  const only = `only ${Object.keys(fields).join()}`
  return z.strictObject(fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? only : undefined),
  })
}
