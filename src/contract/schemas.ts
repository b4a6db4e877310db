import { z } from 'zod'
import { int64Schema } from './int64.js'

/** PetStatus (spec §2). */
export const petStatusSchema = z.enum(['available', 'pending', 'sold'])
export type PetStatus = z.output<typeof petStatusSchema>

/** Status of a store order (assumption A04). */
export const orderStatusSchema = z.enum(['placed', 'approved', 'delivered'])

const quantitySchema = z
  .int({ error: 'an integer from 0' })
  .min(0, { error: 'an integer from 0' })
export const timestampSchema = z.iso
  .datetime({
    offset: true,
    error: 'an ISO 8601 date and time such as "2026-01-31T09:00:00Z"',
    abort: true,
  })
  .refine(hasFourDigitYear, { error: 'a moment from the year 0000 to 9999 in UTC' })

/** An offset can carry a moment past the years that ISO 8601 writes with four digits. */
function hasFourDigitYear(timestamp: string): boolean {
  const year = new Date(timestamp).getUTCFullYear()
  return year >= 0 && year <= 9999
}

/** What a scenario may change about the body of updateInventory (A02, A11). */
export interface InventoryUpdateRules {
  readonly minimum: number
  readonly maximum: number
  readonly additionalFields: 'reject' | 'ignore'
}

/**
 * InventoryUpdate (spec §2). Further fields are rejected unless a scenario says otherwise, because
 * the operation "takes only `quantity`" (A11).
 */
export function createInventoryUpdateSchema(
  rules: InventoryUpdateRules,
): z.ZodType<{ quantity: number }> {
  const bounds = `an integer from ${rules.minimum} to ${rules.maximum}`
  const isOpen = rules.maximum === Number.MAX_SAFE_INTEGER
  // The largest exact integer is named only to those who went past it.
  const error = ({ code }: { code: string }) =>
    isOpen && code !== 'too_big' ? `an integer from ${rules.minimum}` : bounds
  const fields = {
    quantity: z
      .int({ error, abort: true })
      .min(rules.minimum, { error })
      .max(rules.maximum, { error }),
  }
  if (rules.additionalFields === 'ignore') return z.object(fields)
  return z.strictObject(fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? 'only quantity' : undefined),
  })
}

/** The body of sendMessage (spec §4.4); further fields are ignored (A11). */
export const messageRequestSchema = z.object({ message: z.string() })

/** A pet as a scenario writes it: its record (A03), its stock and any further fields. */
export const petSchema = z.looseObject({
  petId: int64Schema.describe('Id of the pet, an int64; past 2^53-1 as a string of digits.'),
  name: z.string().describe('Name of the pet.'),
  // Any integer: `rules.quantity` can allow negative stock, which a snapshot must be able to state.
  quantity: z
    .int({ error: 'an integer' })
    .default(1)
    .describe('Stock count in the inventory; not checked against rules.quantity.'),
  status: petStatusSchema.default('available').describe('Its PetStatus (spec §2).'),
  category: z.string().default('pet').describe('What kind of animal it is.'),
  photoUrls: z.array(z.string()).default([]).describe('Served as given and never fetched.'),
  tags: z.array(z.string()).default([]).describe('Any words.'),
})
export type Pet = z.output<typeof petSchema>

/** A store order as a scenario writes it (A04), with any further fields. */
export const orderSchema = z.looseObject({
  id: int64Schema.describe('Id of the order, an int64; past 2^53-1 as a string of digits.'),
  petId: int64Schema.describe('Id of the pet that is ordered.'),
  quantity: quantitySchema.default(1).describe('How many are ordered.'),
  shipDate: timestampSchema
    .default('2026-01-01T00:00:00.000Z')
    .describe('When it is shipped, ISO 8601.'),
  status: orderStatusSchema.default('placed').describe('How far the order is.'),
  complete: z.boolean().default(false).describe('Whether the order is closed.'),
})
export type Order = z.output<typeof orderSchema>

/** A message that was queued (spec §4.4). */
export const messageSchema = z.strictObject({
  id: z.string().min(1).describe('Id of the message.'),
  message: z.string().describe('Its text.'),
  status: z.literal('queued').default('queued').describe('A message stays queued (spec §4.4).'),
  createdAt: timestampSchema.describe('When it was queued, ISO 8601.'),
})
export type Message = z.output<typeof messageSchema>
