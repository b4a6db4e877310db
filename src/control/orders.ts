import * as z from 'zod/mini'
import { listEntries } from '../service/bounds.js'
import { toInt64Json } from '../service/int64.js'
import { lazy } from '../service/lazy.js'
import { orderRecordSchema } from '../service/response-schemas.js'
import { type Order, type OrderInput, orderSchema } from '../service/schemas.js'
import { fieldsSchema } from './fields.js'
import { defineControl, defineResource } from './operation.js'
import { defineList } from './page.js'
import { int64StateSchema, toPartialSchema } from './record-schemas.js'

/** A store order in a control response, with any additional fields. */
const orderStateSchema = lazy(() =>
  z.extend(orderRecordSchema(), {
    id: int64StateSchema(),
    petId: int64StateSchema(),
  }),
)

const order = {
  id: 1005,
  petId: 7,
  quantity: 10,
  shipDate: '2026-02-09T08:00:00.000Z',
  status: 'placed',
  complete: false,
}

const invalidId = 'id must be an int64 in canonical decimal, such as 7, found "seven" (string)'

export const orders = defineResource({
  title: 'Orders',
  description: 'The store orders, beyond what the service lets a client change.',
  operations: {
    listOrders: defineList({
      idField: 'id',
      path: '/orders',
      summary: 'List the store orders',
      description: 'Lists the store orders.',
      response: {
        description: 'One entry per order.',
        body: { schema: lazy(() => z.array(orderStateSchema())), example: [order] },
      },
      records: ({ world }) => world.db.orders().map(toOrderState),
    }),
    addOrder: defineControl({
      method: 'POST',
      path: '/orders',
      summary: 'Add a store order',
      description:
        'Adds a store order at the end of every list. Additional fields are served unchanged.',
      request: {
        name: 'NewOrder',
        schema: fieldsSchema,
        documentedSchema: orderSchema,
        example: { id: 2001, petId: 7, quantity: 2, shipDate: '2026-01-05T08:00:00.000Z' },
      },
      response: {
        status: 201,
        description: 'The new order.',
        body: {
          name: 'Order',
          schema: orderStateSchema,
          example: {
            id: 2001,
            petId: 7,
            quantity: 2,
            shipDate: '2026-01-05T08:00:00.000Z',
            status: 'placed',
            complete: false,
          },
        },
      },
      errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
      errorMessages: {
        missing_field: 'petId is missing, wanted an int64 (beyond 2^53-1 as a string of digits)',
        resource_conflict:
          'an order with the id 1001 already exists in this world; change it instead',
        sandbox_capacity: `a world of this sandbox has at most ${listEntries} orders; remove some`,
      },
      run: ({ world, body }) => toOrderState(world.addOrder(toInput(body))),
    }),
    changeOrder: defineControl({
      method: 'PATCH',
      path: '/orders/{id}',
      summary: 'Change fields of a store order',
      description:
        'Changes the fields of the body. An additional field that is null is removed. The id cannot change: an `id` in the body must equal the one in the path.',
      request: {
        name: 'OrderChange',
        schema: fieldsSchema,
        documentedSchema: lazy(() => toPartialSchema(orderSchema())),
        example: { status: 'delivered', complete: true },
      },
      response: {
        description: 'The order after the change.',
        body: {
          schema: orderStateSchema,
          example: { ...order, status: 'delivered', complete: true },
        },
      },
      errors: ['resource_not_found'],
      errorMessages: {
        invalid_parameter: invalidId,
        invalid_field:
          'status must be "placed" or "approved" or "delivered", found "lost" (string)',
      },
      run: ({ world, params, body }) =>
        toOrderState(world.changeOrder(params.id ?? '', toInput(body))),
    }),
    removeOrder: defineControl({
      method: 'DELETE',
      path: '/orders/{id}',
      summary: 'Remove a store order',
      description: 'Removes a store order.',
      response: {
        description: 'The removed order.',
        body: { schema: orderStateSchema, example: order },
      },
      errors: ['resource_not_found'],
      errorMessages: { invalid_parameter: invalidId },
      run: ({ world, params }) => toOrderState(world.removeOrder(params.id ?? '')),
    }),
  },
})

function toInput(body: z.output<ReturnType<typeof fieldsSchema>>): OrderInput {
  return body as OrderInput // the world validates it and accepts any object at run time
}

function toOrderState(order: Order): z.output<ReturnType<typeof orderStateSchema>> {
  return { ...order, id: toInt64Json(order.id), petId: toInt64Json(order.petId) }
}
