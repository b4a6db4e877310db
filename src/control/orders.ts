import { z } from 'zod'
import { toInt64Json } from '../contract/int64.js'
import type { Order } from '../contract/schemas.js'
import { defineControl } from './control-operation.js'
import { fieldsSchema } from './record.js'

const orderStateSchema = z.looseObject({
  id: z.union([z.int(), z.string()]).describe('Past 2^53-1 as a string of digits.'),
  petId: z.union([z.int(), z.string()]),
  quantity: z.int(),
  status: z.string(),
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
  errors: ['resource_conflict'],
  run: ({ world, body }) => toOrderState(world.addOrder(body)),
})

export const changeOrder = defineControl({
  method: 'PATCH',
  path: '/orders/{id}',
  resource: 'Data',
  summary: 'Change fields of a store order',
  body: fieldsSchema,
  response: orderStateSchema,
  errors: ['resource_not_found'],
  run: ({ world, params, body }) => toOrderState(world.changeOrder(params.id ?? '', body)),
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

function toOrderState(order: Order): z.output<typeof orderStateSchema> {
  return { ...order, id: toInt64Json(order.id), petId: toInt64Json(order.petId) }
}
