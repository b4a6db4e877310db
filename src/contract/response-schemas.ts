import { z } from 'zod'
import type { OperationId } from './operations.js'
import {
  messageSchema,
  type orderSchema,
  orderStatusSchema,
  type petSchema,
  petStatusSchema,
  timestampSchema,
} from './schemas.js'

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
/** An element of the response of listInventory, and the response of updateInventory. */
export type InventoryItem = z.output<typeof inventoryItemSchema>

/** The pet record that getPet answers (A03), with any further fields. */
export const petRecordSchema = z
  .looseObject({
    petId: int64NumberSchema.describe('Identifier of the animal'),
    name: z.string().describe('Its name'),
    status: petStatusSchema.describe('Status of the pet'),
    category: z.string().describe('What kind of animal it is'),
    photoUrls: z.array(z.string()).describe('Addresses of pictures'),
    tags: z.array(z.string()).describe('Any words'),
  } satisfies FieldsOf<Omit<typeof petSchema.shape, 'quantity'>>)
  .meta({ 'x-assumption': ['A03'] })
/** The response of getPet. */
export type Pet = z.output<typeof petRecordSchema>

/** The store-order record that listOrders answers (A04), with any further fields. */
export const orderRecordSchema = z
  .looseObject({
    id: int64NumberSchema.describe('Identifier of the order'),
    petId: int64NumberSchema.describe('Identifier of the animal that is ordered'),
    quantity: z.int().describe('How many are ordered'),
    shipDate: timestampSchema.describe('When it is shipped, ISO 8601'),
    status: orderStatusSchema.describe('How far the order is'),
    complete: z.boolean().describe('Whether the order is closed'),
  } satisfies FieldsOf<typeof orderSchema.shape>)
  .meta({ 'x-assumption': ['A04'] })
/** An element of the response of listOrders. */
export type Order = z.output<typeof orderRecordSchema>

/** A schema for each field of a record; those of scenarios have defaults, which no answer needs. */
type FieldsOf<Shape> = Record<keyof Shape, z.ZodType>

/** What sendMessage answers (spec §4.4); `status` is a text there, not an enumeration. */
export const queuedMessageSchema = messageSchema.extend({
  status: z.string().describe('`queued`: the message was only queued'),
})

/** The response of sendMessage. */
export type Message = z.output<typeof queuedMessageSchema>

/** The body of each operation's success: what every answer is held against. */
export const responseSchemas = {
  listInventory: z.array(inventoryItemSchema),
  updateInventory: inventoryItemSchema,
  getPet: petRecordSchema,
  listOrders: z.array(orderRecordSchema),
  sendMessage: queuedMessageSchema,
} as const satisfies Record<OperationId, z.ZodType>
