import { RetryNotice } from './retry-notice.js'
import { type InventoryItem, type PetStore, ServiceError } from './service.js'
import { useInventory, useSetQuantity } from './use-inventory.js'

export function Inventory({ store }: { store: PetStore }) {
  const { data: items, error, refetch } = useInventory(store)
  return (
    <main>
      <h1>Inventory</h1>
      {error && <Problem error={error} onRetry={refetch} />}
      {!items && !error && <p>Loading …</p>}
      <ul>
        {items?.map((item) => (
          <InventoryRow key={item.petId} store={store} item={item} />
        ))}
      </ul>
    </main>
  )
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ServiceError && error.retryAfterMs !== undefined) {
    return <RetryNotice error={error} onRetry={onRetry} />
  }
  return (
    <p role="alert">
      {error.message}{' '}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}

function InventoryRow({ store, item }: { store: PetStore; item: InventoryItem }) {
  const { mutate, error } = useSetQuantity(store, item)
  const { petId, quantity } = item
  return (
    <li>
      Pet {petId}: {quantity}{' '}
      <button
        type="button"
        aria-label={`Sell pet ${petId}`}
        disabled={quantity === 0}
        onClick={() => mutate(quantity - 1)}
      >
        Sell
      </button>
      {error && <span role="alert"> {error.message}</span>}
    </li>
  )
}
