import * as z from 'zod/mini'
import { orderRecordSchema } from '../service/schemas.js'
import type { ControlResource } from './operation.js'
import { defineRecords, int64StateSchema } from './records.js'

/** A store order in a control response, with any additional fields. */
const orderStateSchema = z.extend(orderRecordSchema, {
  id: int64StateSchema,
  petId: int64StateSchema,
})

const { list, add, change, remove } = defineRecords('orders', {
  identifies: 'the store order',
  stateSchema: orderStateSchema,
  columns: ['id', 'petId', 'quantity', 'status', 'shipDate', 'complete'],
  list: { summary: 'List the store orders', description: 'Lists the store orders.' },
  add: {
    summary: 'Add a store order',
    description:
      'Adds a store order at the end of every list. Additional fields are served unchanged.',
    example: { id: 2001, petId: 7, quantity: 2, shipDate: '2026-01-05T08:00:00.000Z' },
    errorMessages: {
      missing_field: 'petId is missing, wanted an int64 (beyond 2^53-1 as a string of digits)',
      resource_conflict:
        'an order with the id 1001 already exists in this world; change it instead',
    },
  },
  change: {
    summary: 'Change fields of a store order',
    description:
      'Changes the fields of the body. An additional field that is null is removed. The id cannot change: an `id` in the body must equal the one in the path.',
    example: { status: 'delivered', complete: true },
    errorMessages: {
      invalid_field: 'status must be "placed" or "approved" or "delivered", found "lost" (string)',
    },
  },
  remove: { summary: 'Remove a store order', description: 'Removes a store order.' },
})

export const orders = {
  title: 'Orders',
  description: 'The store orders, with changes that the service does not offer.',
  operations: { listOrders: list, addOrder: add, changeOrder: change, removeOrder: remove },
} satisfies ControlResource
