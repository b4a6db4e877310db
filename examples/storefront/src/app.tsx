import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { InventoryTable } from './inventory-table.js'
import { LimitMeter } from './limit-meter.js'
import { MessageForm } from './message-form.js'
import { scenario } from './mock.js'
import { Notice } from './notice.js'
import { PetSearch } from './pet-search.js'
import { type InventoryItem, type Limits, PetStore, ServiceError } from './service.js'
import { ShopHeader } from './shop-header.js'

export function App() {
  const [plan, setPlan] = useState('free')
  const [limits, setLimits] = useState<Limits>()
  const [items, setItems] = useState<InventoryItem[]>()
  const [problem, setProblem] = useState<unknown>()
  const store = useMemo(() => new PetStore(toApiKey(plan), setLimits), [plan])

  const load = useCallback(async () => {
    try {
      setItems(await store.listInventory())
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }, [store])
  useEffect(() => void load(), [load])

  /** Shows errors that concern the key for the whole page. Other errors are shown where they occur. */
  const report = (error: unknown) => {
    if (!isAboutKey(error)) return false
    setProblem(error)
    return true
  }
  const isPaused = isAboutKey(problem)

  return (
    <>
      <ShopHeader plan={plan} onPlan={setPlan} />
      <main>
        {problem !== undefined && <Notice problem={problem} onRetry={load} />}
        <InventoryTable
          store={store}
          items={items}
          isPaused={isPaused}
          onChange={(changed) => setItems(items?.map((item) => replace(item, changed)))}
          report={report}
        />
        <aside>
          <LimitMeter limits={limits} />
          <PetSearch store={store} isPaused={isPaused} report={report} />
          <MessageForm store={store} isPaused={isPaused} report={report} />
        </aside>
      </main>
    </>
  )
}

/** Returns the key of a plan for the current scenario. A real shop has one fixed key. */
function toApiKey(plan: string): string | undefined {
  return plan === 'none' ? undefined : `sbx_${plan}_${scenario}`
}

function isAboutKey(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 401 || error.status === 429)
}

function replace(item: InventoryItem, changed: InventoryItem): InventoryItem {
  return item.petId === changed.petId ? changed : item
}
