import { z } from 'zod'
import { lazy } from './lazy.js'
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
export const int64NumberSchema = lazy(() =>
  z
    .number()
    .refine(Number.isInteger, { error: 'an integer' })
    .meta({ type: 'integer', format: 'int64' }),
)

/** Error (spec §2): the body of every error. */
export const errorSchema = lazy(() =>
  z.strictObject({
    code: z.string().describe('Machine-readable error code'),
    message: z.string().describe('Human-readable description'),
    status: z.int().describe('The HTTP status code'),
  }),
)

/** InventoryItem (spec §2). */
export const inventoryItemSchema = lazy(() =>
  z.strictObject({
    petId: int64NumberSchema().describe('Identifier of the animal the entry tracks'),
    quantity: z.int().describe('Current stock count'),
    status: petStatusSchema().describe('Status of the pet'),
  }),
)
/** An element of the response of listInventory, and the response of updateInventory. */
export type InventoryItem = z.output<ReturnType<typeof inventoryItemSchema>>

/** The pet record that getPet returns (A03), with any additional fields. */
export const petRecordSchema = lazy(() =>
  z
    .looseObject({
      petId: int64NumberSchema().describe('Identifier of the animal'),
      name: z.string().describe('Name of the animal'),
      status: petStatusSchema().describe('Status of the pet'),
      category: z.string().describe('Kind of animal'),
      photoUrls: z.array(z.string()).describe('URLs of pictures'),
      tags: z.array(z.string()).describe('Any tags'),
    } satisfies FieldsOf<Omit<ReturnType<typeof petSchema>['shape'], 'quantity'>>)
    .meta({ 'x-assumption': ['A03'] }),
)
/** The response of getPet. */
export type Pet = z.output<ReturnType<typeof petRecordSchema>>

/** The store-order record that listOrders returns (A04), with any additional fields. */
export const orderRecordSchema = lazy(() =>
  z
    .looseObject({
      id: int64NumberSchema().describe('Identifier of the order'),
      petId: int64NumberSchema().describe('Identifier of the ordered animal'),
      quantity: z.int().describe('Number of ordered animals'),
      shipDate: timestampSchema().describe('Shipping date, ISO 8601'),
      status: orderStatusSchema().describe('Progress of the order'),
      complete: z.boolean().describe('Whether the order is complete'),
    } satisfies FieldsOf<ReturnType<typeof orderSchema>['shape']>)
    .meta({ 'x-assumption': ['A04'] }),
)
/** An element of the response of listOrders. */
export type Order = z.output<ReturnType<typeof orderRecordSchema>>

/**
 * One schema for each field of a record. The schemas of scenarios have defaults; responses need
 * none.
 */
type FieldsOf<Shape> = Record<keyof Shape, z.ZodType>

/** The response of sendMessage (spec §4.4), where `status` is a string, not an enumeration. */
export const queuedMessageSchema = lazy(() =>
  messageSchema().extend({
    status: z.string().describe('`queued`: the message was only queued'),
  }),
)
/** The response of sendMessage. */
export type Message = z.output<ReturnType<typeof queuedMessageSchema>>
