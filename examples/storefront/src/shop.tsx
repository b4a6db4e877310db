import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { InventoryTable } from './inventory-table.js'
import { LimitMeter } from './limit-meter.js'
import { MessageForm } from './message-form.js'
import { Notice } from './notice.js'
import { PetSearch } from './pet-search.js'
import { type InventoryItem, type Limits, PetStore, ServiceError } from './service.js'

interface ShopProps {
  readonly apiKey: string | undefined
  readonly scenario: string
  /** The inventory is read again when this number changes. */
  readonly changes: number
}

export function Shop({ apiKey, scenario, changes }: ShopProps) {
  const [limits, setLimits] = useState<Limits>()
  const [items, setItems] = useState<InventoryItem[]>()
  const [problem, setProblem] = useState<unknown>()
  const store = useMemo(() => new PetStore(apiKey, setLimits), [apiKey])
  const load = useLoad(store, setItems, setProblem)
  useEffect(load, [load, changes])

  /** Shows errors that concern the key for the whole page. Other errors are shown where they occur. */
  const report = (error: unknown) => {
    if (!isAboutKey(error)) return false
    setProblem(error)
    return true
  }
  const rejection = isAboutKey(problem) ? problem : undefined
  const isPaused = rejection !== undefined

  return (
    <main>
      {problem !== undefined && <Notice problem={problem} onRetry={load} />}
      <InventoryTable
        store={store}
        scenario={scenario}
        items={items}
        isPaused={isPaused}
        onChange={(changed) => setItems(items?.map((item) => replace(item, changed)))}
        report={report}
      />
      <aside>
        <LimitMeter limits={limits} rejection={rejection} />
        <PetSearch store={store} isPaused={isPaused} report={report} />
        <MessageForm store={store} isPaused={isPaused} report={report} />
      </aside>
    </main>
  )
}

/** Returns a function that reads the inventory, and that returns a function that cancels this. */
function useLoad(
  store: PetStore,
  onItems: (items: InventoryItem[]) => void,
  onProblem: (problem: unknown) => void,
) {
  return useCallback(() => {
    const controller = new AbortController()
    const load = async () => {
      try {
        onItems(await store.listInventory(controller.signal))
        onProblem(undefined)
      } catch (error) {
        if (!controller.signal.aborted) onProblem(error)
      }
    }
    void load()
    return () => controller.abort()
  }, [store, onItems, onProblem])
}

function isAboutKey(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.status === 401 || error.status === 429)
}

function replace(item: InventoryItem, changed: InventoryItem): InventoryItem {
  return item.petId === changed.petId ? changed : item
}
