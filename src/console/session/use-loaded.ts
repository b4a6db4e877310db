import type { ControlClient } from '../../control/client/client.js'
import type { ScenarioSummary } from '../control-types.js'
import type { PageClient } from './client.js'
import { useSession } from './session.js'
import { useFollowed } from './use-followed.js'

/** Loads data of the world of the page, and again after each change of the world or the trigger. */
export function useLoaded<T>(
  load: (client: PageClient) => Promise<T>,
  trigger: string | number = '',
  toPauseMs?: (value: T) => number,
) {
  const { client, revision } = useSession()
  return useFollowed(client, load, `${revision} ${trigger}`, toPauseMs)
}

/** Loads the scenarios that a key can name. */
export const listScenarios = (client: ControlClient): Promise<ScenarioSummary[]> =>
  client.send('listScenarios')

/** Returns the scenarios that a key can name. */
export function useScenarios() {
  return useLoaded(listScenarios)
}
