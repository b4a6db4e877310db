import { z } from 'zod'
import { toInt64Json } from '../contract/int64.js'
import { orderRecordSchema } from '../contract/response-schemas.js'
import type { Order, OrderInput } from '../contract/schemas.js'
import { defineControl } from './control-operation.js'
import { fieldsSchema, int64StateSchema } from './record.js'

/** A store order as the control API shows it, with any further fields. */
export const orderStateSchema = orderRecordSchema.extend({
  id: int64StateSchema,
  petId: int64StateSchema,
})

export const listOrders = defineControl({
  method: 'GET',
  path: '/orders',
  resource: 'Data',
  summary: 'List the store orders',
  response: z.array(orderStateSchema),
  run: ({ world }) => world.db.orders().map(toOrderState),
})

export const addOrder = defineControl({
  method: 'POST',
  path: '/orders',
  resource: 'Data',
  summary: 'Add a store order',
  body: fieldsSchema,
  response: orderStateSchema,
  status: 201,
  errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
  run: ({ world, body }) => toOrderState(world.addOrder(toInput(body))),
})

export const changeOrder = defineControl({
  method: 'PATCH',
  path: '/orders/{id}',
  resource: 'Data',
  summary: 'Change fields of a store order',
  body: fieldsSchema,
  response: orderStateSchema,
  errors: ['resource_not_found'],
  run: ({ world, params, body }) => toOrderState(world.changeOrder(params.id ?? '', toInput(body))),
})

export const removeOrder = defineControl({
  method: 'DELETE',
  path: '/orders/{id}',
  resource: 'Data',
  summary: 'Remove a store order',
  response: orderStateSchema,
  errors: ['resource_not_found'],
  run: ({ world, params }) => toOrderState(world.removeOrder(params.id ?? '')),
})

function toInput(body: z.output<typeof fieldsSchema>): OrderInput {
  return body as OrderInput // validated by the world, which accepts any object at run time
}

function toOrderState(order: Order): z.output<typeof orderStateSchema> {
  return { ...order, id: toInt64Json(order.id), petId: toInt64Json(order.petId) }
}
