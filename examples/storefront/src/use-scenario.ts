import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { MockWorld, WorldState } from './mock/world.js'
import { pushScenario, readScenario, replaceScenario } from './scenario-url.js'

/**
 * Returns the state of the world, and a function that selects a scenario. The URL of the page names
 * the scenario, and Back and Forward select it too. The page is never loaded again.
 */
export function useScenario(world: MockWorld): [WorldState, (scenario: string) => void] {
  const [state, setState] = useState(world.state)
  const pending = useRef(0)

  const use = useCallback(
    async (scenario: string) => {
      pending.current++
      try {
        await world.use(scenario)
      } finally {
        pending.current--
      }
    },
    [world],
  )
  const select = (scenario: string) => {
    pushScenario(scenario)
    void use(scenario)
  }

  useEffect(() => {
    if (world.state.scenario !== readScenario()) replaceScenario(world.state.scenario)
    return world.onChange(() => {
      const { scenario } = world.state
      setState(world.state)
      // Selected elsewhere, such as in the panel.
      if (pending.current === 0 && scenario !== readScenario()) pushScenario(scenario)
    })
  }, [world])
  useEffect(() => {
    const onPopState = () => void use(readScenario())
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [use])

  return [state, select]
}
