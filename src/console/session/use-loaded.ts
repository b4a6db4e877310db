import { useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../client/control-client.js'
import type { ScenarioSummary } from '../client/control-types.js'
import { useSession } from './session.js'

interface Loaded<T> {
  readonly client: ControlClient
  readonly value: T
}

/**
 * Loads data of the world, and reloads it when the world or its revision changes. While the data of
 * the same world is reloaded, returns the previous value, so that the layout does not shift.
 * Returns undefined before the first response.
 *
 * @param load Must be the same function on each render.
 * @param trigger Reloads the data when this value changes.
 */
export function useLoaded<T>(
  load: (client: ControlClient) => Promise<T>,
  trigger?: unknown,
): T | undefined {
  const { client, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T>>()
  // The revision and the trigger are dependencies only to reload the data.
  useEffect(() => {
    let isCurrent = true
    load(client).then(
      (value) => isCurrent && setLoaded({ client, value }),
      () => {}, // useOverview reports failures.
    )
    return () => {
      isCurrent = false
    }
  }, [load, client, revision, trigger])
  return loaded?.client === client ? loaded.value : undefined
}

const loadScenarios = (client: ControlClient) => client.send('listScenarios')

/** Returns the scenarios that a key can name. */
export function useScenarios(): readonly ScenarioSummary[] {
  return useLoaded(loadScenarios) ?? []
}
