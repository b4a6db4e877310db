import type { ScenarioSummary } from '../../scenario/library.js'
import type { Steering } from '../client/client.js'
import { useLoaded } from './use-loaded.js'

const load = (steering: Steering) => steering.scenarios()

/** The scenarios that are known by name. */
export function useScenarios(): readonly ScenarioSummary[] {
  return useLoaded(load).value ?? []
}
