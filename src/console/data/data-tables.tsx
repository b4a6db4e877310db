import { MessageTable } from './message-table.js'
import { OrderTable } from './order-table.js'
import { PetTable } from './pet-table.js'

/** The pets, orders and messages of the world. */
export function DataTables() {
  return (
    <>
      <PetTable />
      <OrderTable />
      <MessageTable />
    </>
  )
}
