import * as z from 'zod/mini'
import { annotate } from './annotate.js'
import { listEntries, messageBytes, messagesPerWorld } from './bounds.js'
import { type Int64Input, int64Schema } from './int64.js'

/** PetStatus (spec §2). */
export const petStatusSchema = z.enum(['available', 'pending', 'sold'])

/** Status of a store order (assumption A04). */
const orderStatusSchema = z.enum(['placed', 'approved', 'delivered'])

const quantitySchema = z
  .int({ error: 'an integer from 0' })
  .check(z.minimum(0, { error: 'an integer from 0' }))
export const timestampSchema = z.iso
  .datetime({
    offset: true,
    error: 'an ISO 8601 date and time such as "2026-01-31T09:00:00Z"',
    abort: true,
  })
  .check(z.refine(hasFourDigitYear, { error: 'a date from the year 0000 to 9999 in UTC' }))

/** An offset can move a date out of the range of four-digit years in UTC. */
function hasFourDigitYear(timestamp: string): boolean {
  const year = new Date(timestamp).getUTCFullYear()
  return year >= 0 && year <= 9999
}

/** The body of sendMessage (spec §4.4). Additional fields are ignored (A11). */
export const messageRequestSchema = z.object({ message: z.string() })

/** An int64 in a response: a JSON number. Beyond 2^53−1, `JSON.parse` returns it inexactly. */
const int64NumberSchema = annotate(
  z.number().check(z.refine(Number.isInteger, { error: 'an integer' })),
  { type: 'integer', format: 'int64' },
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

/**
 * One schema for each field of a record. The schemas of scenarios have defaults; responses need
 * none.
 */
type FieldsOf<Shape> = Record<keyof Shape, z.ZodMiniType>

/** A pet in a scenario: its record (A03), its stock and any additional fields. */
export const petSchema = z.looseObject({
  petId: annotate(int64Schema, 'Id of the pet, an int64; beyond 2^53-1 as a string of digits.'),
  name: annotate(z.string(), 'Name of the pet.'),
  // Any integer: `rules.quantity` can allow negative stock, and a snapshot must represent it.
  quantity: annotate(
    z._default(z.int({ error: 'an integer' }), 1),
    'Stock count in the inventory; not checked against rules.quantity.',
  ),
  status: annotate(z._default(petStatusSchema, 'available'), 'PetStatus (spec §2).'),
  category: annotate(z._default(z.string(), 'pet'), 'Kind of animal.'),
  photoUrls: annotate(
    z._default(z.array(z.string()), []),
    'URLs of pictures; served unchanged and never fetched.',
  ),
  tags: annotate(z._default(z.array(z.string()), []), 'Any tags.'),
})
/** A pet in a world, its id in canonical decimal. */
export type PetState = z.output<typeof petSchema>

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

/** A store order in a scenario (A04), with any additional fields. */
export const orderSchema = z.looseObject({
  id: annotate(int64Schema, 'Id of the order, an int64; beyond 2^53-1 as a string of digits.'),
  petId: annotate(int64Schema, 'Id of the ordered pet.'),
  quantity: annotate(z._default(quantitySchema, 1), 'Number of ordered pets.'),
  shipDate: annotate(
    z._default(timestampSchema, '2026-01-01T00:00:00.000Z'),
    'Shipping date, ISO 8601.',
  ),
  status: annotate(z._default(orderStatusSchema, 'placed'), 'Progress of the order.'),
  complete: annotate(z._default(z.boolean(), false), 'Whether the order is complete.'),
})
/** A store order in a world, its ids in canonical decimal. */
export type OrderState = z.output<typeof orderSchema>

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

const headerName = 'the name of a header'

/** Schema for the name of an HTTP header (RFC 9110, section 5.1). */
export const headerNameSchema: z.ZodMiniType<string, string> = z
  .string(headerName)
  .check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, headerName))

/** A queued message (spec §4.4). */
export const messageSchema = z.strictObject({
  id: annotate(z.string().check(z.minLength(1)), 'Id of the message.'),
  message: annotate(z.string(), 'Text of the message.'),
  status: annotate(
    z._default(z.literal('queued'), 'queued'),
    'A message stays queued (spec §4.4).',
  ),
  createdAt: annotate(timestampSchema, 'Time at which it was queued, ISO 8601.'),
})

/** The response of sendMessage (spec §4.4), where `status` is a string, not an enumeration. */
export const queuedMessageSchema = z.extend(messageSchema, {
  status: annotate(z.string(), '`queued`: the message was only queued'),
})
/** The response of sendMessage. */
export type Message = z.output<typeof queuedMessageSchema>

/** A kind of record, in addition to its entry in `recordKinds`. */
interface RecordModel<Schema extends z.ZodMiniObject> {
  /** Description of the list of a scenario. */
  readonly description: string
  /** The schema of a record in a scenario, and of an added record. */
  readonly schema: Schema
  /** A record in the documents. */
  readonly example: z.input<Schema>
  /** Maximum number of records in a world. */
  readonly maximum: number
  /** If given, a world retains the newest records, up to this size in bytes (A23). */
  readonly newestBytes?: number
}

/** Returns the model unchanged. Checks its example against its schema. */
function defineModel<Schema extends z.ZodMiniObject>(
  model: RecordModel<Schema>,
): RecordModel<Schema> {
  return model
}

/** The models of the kinds of records. A kind is an entry here and one in `recordKinds`. */
export const recordModels = {
  pets: defineModel({
    description: 'Pets with their stock; additional fields are returned unchanged.',
    schema: petSchema,
    example: {
      petId: 7,
      name: 'Nemo',
      status: 'available',
      category: 'fish',
      photoUrls: ['https://images.petstore.example/pets/7/1.jpg'],
      tags: ['ocellaris clownfish', 'saltwater'],
      quantity: 40,
    },
    maximum: listEntries,
  }),
  orders: defineModel({
    description: 'Store orders; additional fields are returned unchanged.',
    schema: orderSchema,
    example: {
      id: 1005,
      petId: 7,
      quantity: 10,
      shipDate: '2026-02-09T08:00:00.000Z',
      status: 'placed',
      complete: false,
    },
    maximum: listEntries,
  }),
  messages: defineModel({
    description: 'Queued messages.',
    schema: messageSchema,
    example: {
      id: 'msg_4fQ2mT8xK1vZ7cR9bN3wL6pS',
      message: 'Hello, pets!',
      status: 'queued',
      createdAt: '2026-01-01T09:00:00.000Z',
    },
    maximum: messagesPerWorld,
    newestBytes: messageBytes,
  }),
} as const

/** Name of a kind of record, which is also the name of its list in a scenario. */
export type KindName = keyof typeof recordModels

/** The schema of a kind of record. */
export type SchemaOf<Kind extends KindName> = (typeof recordModels)[Kind]['schema']

/** A record in a world. Its ids are in canonical decimal. */
export type RecordOf<Kind extends KindName> = z.output<SchemaOf<Kind>>

/**
 * The known fields of a record, to add it. A pet or an order may have additional fields: pass a value
 * of type `PetInput & Record<string, unknown>`.
 */
export type RecordInput<Kind extends KindName> = WithIds<KnownFields<z.input<SchemaOf<Kind>>>>
/** The known fields of a pet, for scenarios and `world.db.pets.add`. */
export type PetInput = RecordInput<'pets'>
/** The known fields of an order, for scenarios and `world.db.orders.add`. */
export type OrderInput = RecordInput<'orders'>

/** The type of a loose object without its index signature, so that misspelled fields are errors. */
export type KnownFields<T> = {
  readonly [Name in keyof T as string extends Name ? never : Name]: T[Name]
}

/** Fields whose ids may also be bigints. */
type WithIds<T> = { readonly [Name in keyof T]: Name extends 'id' | 'petId' ? Int64Input : T[Name] }
