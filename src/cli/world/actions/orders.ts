import type { z } from 'zod'
import {
  addOrder,
  changeOrder,
  listOrders,
  type orderStateSchema,
  removeOrder,
} from '../../../control/orders.js'
import type { Paint } from '../../colour.js'
import { readFields, readId } from '../read-argument.js'
import type { WorldAction } from '../runner.js'
import { type Column, toTable } from '../text/columns.js'

type Order = z.output<typeof orderStateSchema>

const columns: readonly Column<Order>[] = [
  { title: 'ID', cell: ({ id }) => String(id), isNumber: true },
  { title: 'PETID', cell: ({ petId }) => String(petId), isNumber: true },
  { title: 'QUANTITY', cell: ({ quantity }) => String(quantity), isNumber: true },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'SHIP DATE', cell: ({ shipDate }) => shipDate },
  { title: 'COMPLETE', cell: ({ complete }) => (complete ? 'yes' : 'no') },
]

export const showOrders: WorldAction = async ({ client, print }) => {
  print(await client.send(listOrders), toOrdersText)
}

export const addOneOrder: WorldAction = async ({ client, print }, { args }) => {
  print(await client.send(addOrder, { body: await readFields(args) }), toOrderText)
}

export const changeOneOrder: WorldAction = async ({ client, print }, { args: [id, ...fields] }) => {
  const params = { id: readId('id', id) }
  print(await client.send(changeOrder, { params, body: await readFields(fields) }), toOrderText)
}

export const removeOneOrder: WorldAction = async ({ client, print }, { args: [id] }) => {
  print(await client.send(removeOrder, { params: { id: readId('id', id) } }), toOrderText)
}

function toOrdersText(orders: readonly Order[], paint: Paint): string {
  return toTable(orders, columns, paint, 'orders')
}

function toOrderText(order: Order, paint: Paint): string {
  return toOrdersText([order], paint)
}
