import type { ControlClient } from '../client/client.js'
import type { OrderRow } from '../client/shapes.js'
import { formatMoment } from '../parts/moment.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { PagedTable } from './paged-table.js'
import { StatusSelect } from './status-select.js'
import { orderStatuses } from './statuses.js'

const load = (client: ControlClient) => client.orders()

/** The store orders. */
export function OrderTable() {
  const { value: orders } = useLoaded(load)
  return (
    <PagedTable
      title="Orders"
      rows={orders}
      columns={['Id', 'Pet', 'Quantity', 'Ships (UTC)', 'Complete', 'Status', '']}
      empty="The store has no orders."
      toText={({ id, petId, status }) => `${id} ${petId} ${status}`}
      toRow={(order) => <OrderLine key={order.id} order={order} />}
    />
  )
}

function OrderLine({ order }: { order: OrderRow }) {
  const { act, client } = useSession()
  const { id, petId, quantity, shipDate, complete = false, status } = order
  const name = `order ${id}`
  const change = (fields: Partial<OrderRow>) =>
    void act(`Changed ${name}.`, () => client.changeOrder(id, fields))
  return (
    <tr>
      <th scope="row" class="code">
        {id}
      </th>
      <td class="code">{petId}</td>
      <td>{quantity}</td>
      <td>{shipDate && formatMoment(shipDate)}</td>
      <td>
        <input
          type="checkbox"
          aria-label={`Whether ${name} is complete`}
          checked={complete}
          onChange={(event) => change({ complete: event.currentTarget.checked })}
        />
      </td>
      <td>
        <StatusSelect
          name={name}
          status={status}
          statuses={orderStatuses}
          onChange={(to) => change({ status: to })}
        />
      </td>
      <td class="end">
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={() => void act(`Removed ${name}.`, () => client.removeOrder(id))}
        >
          Remove
        </button>
      </td>
    </tr>
  )
}
