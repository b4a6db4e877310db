import * as z from 'zod/mini'
import { annotate } from './annotate.js'
import {
  messageSchema,
  type orderSchema,
  orderStatusSchema,
  type petSchema,
  petStatusSchema,
  timestampSchema,
} from './schemas.js'

/**
 * An int64 in a response: a JSON number. Beyond 2^53−1, `JSON.parse` returns it inexactly.
 */
export const int64NumberSchema = annotate(
  z.number().check(z.refine(Number.isInteger, { error: 'an integer' })),
  {
    type: 'integer',
    format: 'int64',
  },
)

/** Error (spec §2): the body of every error. */
export const errorSchema = z.strictObject({
  code: annotate(z.string(), 'Machine-readable error code'),
  message: annotate(z.string(), 'Human-readable description'),
  status: annotate(z.int(), 'The HTTP status code'),
})

/** InventoryItem (spec §2). */
export const inventoryItemSchema = z.strictObject({
  petId: annotate(int64NumberSchema, 'Identifier of the animal the entry tracks'),
  quantity: annotate(z.int(), 'Current stock count'),
  status: annotate(petStatusSchema, 'Status of the pet'),
})
/** An element of the response of listInventory, and the response of updateInventory. */
export type InventoryItem = z.output<typeof inventoryItemSchema>

/** The pet record that getPet returns (A03), with any additional fields. */
export const petRecordSchema = annotate(
  z.looseObject({
    petId: annotate(int64NumberSchema, 'Identifier of the animal'),
    name: annotate(z.string(), 'Name of the animal'),
    status: annotate(petStatusSchema, 'Status of the pet'),
    category: annotate(z.string(), 'Kind of animal'),
    photoUrls: annotate(z.array(z.string()), 'URLs of pictures'),
    tags: annotate(z.array(z.string()), 'Any tags'),
  } satisfies FieldsOf<Omit<(typeof petSchema)['shape'], 'quantity'>>),
  { 'x-assumption': ['A03'] },
)
/** The response of getPet. */
export type Pet = z.output<typeof petRecordSchema>

/** The store-order record that listOrders returns (A04), with any additional fields. */
export const orderRecordSchema = annotate(
  z.looseObject({
    id: annotate(int64NumberSchema, 'Identifier of the order'),
    petId: annotate(int64NumberSchema, 'Identifier of the ordered animal'),
    quantity: annotate(z.int(), 'Number of ordered animals'),
    shipDate: annotate(timestampSchema, 'Shipping date, ISO 8601'),
    status: annotate(orderStatusSchema, 'Progress of the order'),
    complete: annotate(z.boolean(), 'Whether the order is complete'),
  } satisfies FieldsOf<(typeof orderSchema)['shape']>),
  { 'x-assumption': ['A04'] },
)
/** An element of the response of listOrders. */
export type Order = z.output<typeof orderRecordSchema>

/**
 * One schema for each field of a record. The schemas of scenarios have defaults; responses need
 * none.
 */
type FieldsOf<Shape> = Record<keyof Shape, z.ZodMiniType>

/** The response of sendMessage (spec §4.4), where `status` is a string, not an enumeration. */
export const queuedMessageSchema = z.extend(messageSchema, {
  status: annotate(z.string(), '`queued`: the message was only queued'),
})
/** The response of sendMessage. */
export type Message = z.output<typeof queuedMessageSchema>
