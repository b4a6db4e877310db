import { MessageTable } from './message-table.js'
import { OrderTable } from './order-table.js'
import { PetTable } from './pet-table.js'

/** What the world holds. */
export function DataTables() {
  return (
    <>
      <PetTable />
      <OrderTable />
      <MessageTable />
    </>
  )
}
