import type { ScenarioSummary } from '../../scenario/library.js'
import type { ControlClient } from '../client/client.js'
import { useLoaded } from './use-loaded.js'

const load = (client: ControlClient) => client.scenarios()

/** The scenarios that are known by name. */
export function useScenarios(): readonly ScenarioSummary[] {
  return useLoaded(load).value ?? []
}
