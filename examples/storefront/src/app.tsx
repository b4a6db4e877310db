import { useState } from 'preact/hooks'
import type { MockWorld } from './mock/world.js'
import { Shop } from './shop.js'
import { ShopHeader } from './shop-header.js'
import { useScenario } from './use-scenario.js'

export function App({ world }: { world: MockWorld }) {
  const [plan, setPlan] = useState('free')
  const [{ scenario, starts, changes }, select] = useScenario(world)
  const apiKey = plan === 'none' ? undefined : world.toApiKey(plan)
  return (
    <>
      <ShopHeader plan={plan} onPlan={setPlan} scenario={scenario} onScenario={select} />
      {/* Another key or another world: nothing that the page shows is still true. */}
      <Shop key={`${plan} ${starts}`} apiKey={apiKey} scenario={scenario} changes={changes} />
    </>
  )
}
