import type { Order } from '../client/control-types.js'
import { useDocuments } from '../documents/documents.js'
import { formatTimestamp } from '../parts/time.js'
import type { Column } from './paged-table.js'
import { type ChangeRecord, type RecordKind, RecordTable } from './record-table.js'

const orders: RecordKind<Order> = {
  list: (client) => client.send('listOrders'),
  change: (client, { id }, body) => client.send('changeOrder', { params: { id }, body }),
  remove: (client, { id }) => client.send('removeOrder', { params: { id } }),
  toKey: ({ id }) => id,
  toName: ({ id }) => `order ${id}`,
  toText: ({ id, petId, status }) => `${id} ${petId} ${status}`,
}

/** The store orders. */
export function OrderTable() {
  const { control } = useDocuments()
  return (
    <RecordTable
      title="Orders"
      kind={orders}
      toColumns={toColumns}
      statuses={control.orderStatuses}
      empty="The store has no orders."
    />
  )
}

function toColumns(change: ChangeRecord<Order>): readonly Column<Order>[] {
  return [
    { title: 'Id', class: 'code', isRowHeader: true, toCell: ({ id }) => id },
    { title: 'Pet', class: 'code', toCell: ({ petId }) => petId },
    { title: 'Quantity', toCell: ({ quantity }) => quantity },
    { title: 'Ships (UTC)', toCell: ({ shipDate }) => shipDate && formatTimestamp(shipDate) },
    {
      title: 'Complete',
      toCell: (order) => (
        <input
          type="checkbox"
          aria-label={`Order ${order.id} is complete`}
          checked={order.complete}
          onChange={(event) => change(order, { complete: event.currentTarget.checked })}
        />
      ),
    },
  ]
}
