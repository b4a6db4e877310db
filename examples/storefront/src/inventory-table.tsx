import { findName } from './catalogue.js'
import { InventoryRow } from './inventory-row.js'
import type { InventoryItem, PetStore } from './service.js'

interface InventoryTableProps {
  readonly store: PetStore
  readonly scenario: string
  readonly items: readonly InventoryItem[] | undefined
  readonly isPaused: boolean
  readonly onChange: (item: InventoryItem) => void
  readonly report: (error: unknown) => boolean
}

export function InventoryTable({ items, scenario, ...row }: InventoryTableProps) {
  return (
    <section aria-labelledby="inventory">
      <h2 id="inventory">Inventory</h2>
      {items && items.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Pet</th>
              <th scope="col">Status</th>
              <th scope="col">In stock</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <InventoryRow
                key={item.petId}
                name={findName(scenario, item.petId)}
                item={item}
                {...row}
              />
            ))}
          </tbody>
        </table>
      )}
      {items === undefined && (
        <p class="quiet">
          {row.isPaused
            ? 'The service has sent no inventory.'
            : 'The service has not responded yet.'}
        </p>
      )}
      {items?.length === 0 && <p class="quiet">The shop is empty.</p>}
    </section>
  )
}
