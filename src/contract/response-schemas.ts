import { z } from 'zod'
import type { OperationId } from './operations.js'
import { messageSchema, orderSchema, petSchema, petStatusSchema } from './schemas.js'

/**
 * An int64 as a response carries it: a JSON number, which past 2^53−1 is no longer exact once
 * `JSON.parse` has read it.
 */
export const int64NumberSchema = z
  .number()
  .refine(Number.isInteger, { error: 'an integer' })
  .meta({ type: 'integer', format: 'int64' })

/** Error (spec §2): the body of every error. */
export const errorSchema = z.strictObject({
  code: z.string().describe('Machine-readable error code'),
  message: z.string().describe('Human-readable description'),
  status: z.int().describe('The HTTP status code'),
})

/** InventoryItem (spec §2). */
export const inventoryItemSchema = z.strictObject({
  petId: int64NumberSchema.describe('Identifier of the animal the entry tracks'),
  quantity: z.int().describe('Current stock count'),
  status: petStatusSchema.describe('Status of the pet'),
})

/** The pet record that getPet answers (A03), with any further fields. */
export const petRecordSchema = petSchema
  .omit({ quantity: true })
  .extend({ petId: int64NumberSchema.describe('Identifier of the animal') })
  .meta({ 'x-assumption': ['A03'] })

/** The store-order record that listOrders answers (A04), with any further fields. */
export const orderRecordSchema = orderSchema
  .extend({
    id: int64NumberSchema.describe('Identifier of the order'),
    petId: int64NumberSchema.describe('Identifier of the animal that is ordered'),
  })
  .meta({ 'x-assumption': ['A04'] })

/** What sendMessage answers (spec §4.4); `status` is a text there, not an enumeration. */
export const queuedMessageSchema = messageSchema.extend({
  status: z.string().describe('`queued`: the message was only queued'),
})

/** The body of each operation's success: what every answer is held against. */
export const responseSchemas = {
  listInventory: z.array(inventoryItemSchema),
  updateInventory: inventoryItemSchema,
  getPet: petRecordSchema,
  listOrders: z.array(orderRecordSchema),
  sendMessage: queuedMessageSchema,
} as const satisfies Record<OperationId, z.ZodType>
