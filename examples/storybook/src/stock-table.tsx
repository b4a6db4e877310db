import { useCallback, useContext, useEffect, useState } from 'react'
import { ApiKey } from './api-key'
import { type InventoryItem, listInventory, ServiceError, setQuantity } from './inventory'

export interface StockTableProps {
  /** Omits the column with the status. */
  readonly compact?: boolean
}

/** The stock of all pets. Each quantity can be incremented. */
export function StockTable({ compact = false }: StockTableProps) {
  const apiKey = useContext(ApiKey)
  const [items, setItems] = useState<readonly InventoryItem[]>()
  const [error, setError] = useState<unknown>()

  const load = useCallback(async () => {
    try {
      setItems(await listInventory(apiKey))
      setError(undefined)
    } catch (cause) {
      setError(cause)
    }
  }, [apiKey])
  useEffect(() => void load(), [load])

  const add = async ({ petId, quantity }: InventoryItem) => {
    const changed = await setQuantity(apiKey, petId, quantity + 1)
    setItems(items?.map((item) => (item.petId === petId ? changed : item)))
  }

  if (error) return <Notice error={error} onRetry={load} />
  if (!items) return <p>Loading</p>
  if (items.length === 0) return <p>The store has no pets.</p>
  return (
    <>
      <table>
        <tbody>
          {items.map((item) => (
            <tr key={item.petId} data-low={item.quantity < 2}>
              <th scope="row">Pet {item.petId}</th>
              {!compact && <td>{item.status}</td>}
              <td>
                <output>{item.quantity}</output>
                <button
                  type="button"
                  aria-label={`Add to pet ${item.petId}`}
                  onClick={() => add(item).catch(setError)}
                >
                  +
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={load}>
        Refresh
      </button>
    </>
  )
}

function Notice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof ServiceError)) return <p role="alert">The service did not respond.</p>
  const isBanned = error.code === 'api_key_banned'
  const isLimited = error.code === 'rate_limit_exceeded'
  return (
    <div role="alert">
      <strong>
        {isBanned ? 'Key banned' : isLimited ? 'Too many requests' : 'The service has failed'}
      </strong>
      <p>{error.message}</p>
      {error.retryAtMs > 0 && <Countdown untilMs={error.retryAtMs} />}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

function Countdown({ untilMs }: { untilMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <p role="timer">{Math.max(0, Math.ceil((untilMs - nowMs) / 1000))} s</p>
}
