import { useMemo } from 'preact/hooks'
import type { Order } from '../control-types.js'
import { useDocuments } from '../documents/documents.js'
import { Time } from '../parts/time-label.js'
import { useSession } from '../session/session.js'
import type { Cells } from './cells.js'
import { createOrderKind } from './record-kind.js'
import { RecordTable } from './record-table.js'
import type { Column } from './table.js'

/** The store orders. */
export function OrderTable() {
  const { overview } = useSession()
  const { orderStatuses } = useDocuments().control
  const kind = useMemo(() => createOrderKind(orderStatuses), [orderStatuses])
  const shipDate = overview?.clock.now ?? ''
  return (
    <RecordTable
      kind={kind}
      toColumns={toColumns}
      initial={{ quantity: '1', shipDate, status: orderStatuses[0] ?? '', complete: 'false' }}
      empty="The store has no orders."
    />
  )
}

function toColumns(cells: Cells<Order>): readonly Column<Order>[] {
  const { toInput, toSelect, toCheckbox } = cells
  return [
    {
      title: 'Id',
      class: 'code',
      isRowHeader: true,
      toCell: ({ id }) => id,
      toSortValue: ({ id }) => id,
    },
    {
      title: 'Pet',
      class: 'code',
      toCell: ({ petId }) => petId,
      toSortValue: ({ petId }) => petId,
    },
    {
      title: 'Quantity',
      toCell: (order) => toInput(order, 'quantity'),
      toSortValue: ({ quantity }) => quantity,
    },
    {
      title: 'Ships (UTC)',
      toCell: ({ shipDate }) => <Time at={shipDate} />,
      toSortValue: ({ shipDate }) => Date.parse(shipDate),
    },
    {
      title: 'Status',
      toCell: (order) => toSelect(order, 'status'),
      toSortValue: ({ status }) => status,
    },
    {
      title: 'Complete',
      toCell: (order) => toCheckbox(order, 'complete'),
      toSortValue: ({ complete }) => complete,
    },
  ]
}
