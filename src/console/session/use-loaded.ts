import { useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../../control/client/client.js'
import type { ScenarioSummary } from '../control-types.js'
import type { PageClient } from './client.js'
import { type Failure, toFailure } from './failure.js'
import { useSession } from './session.js'

/** Data of the world. Both are undefined before the first response. */
export interface Loaded<T> {
  readonly value?: T | undefined
  /** Why the data is not available. */
  readonly failure?: Failure | undefined
}

/** Interval between two attempts after a failure, in milliseconds. */
const retryMs = 2_000

/**
 * Loads data of the world, and reloads it when the world or its revision changes. While the data of
 * the same world is reloaded, returns the previous value, so that the layout does not shift. After a
 * failure, returns no value until the data has been loaded again.
 *
 * @param load Must be the same function on each render.
 * @param trigger Reloads the data when this value changes.
 */
export function useLoaded<T>(
  load: (client: PageClient) => Promise<T>,
  trigger?: unknown,
): Loaded<T> {
  const { client, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly client: PageClient }>()
  const failure = loaded?.client === client ? loaded.failure : undefined
  const reload = useReload(failure)
  // The revision, the trigger and the count are dependencies only to reload the data.
  useEffect(() => {
    let isCurrent = true
    load(client).then(
      (value) => isCurrent && setLoaded({ client, value }),
      (error: unknown) => isCurrent && setLoaded({ client, failure: toFailure(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [load, client, revision, trigger, reload])
  return loaded?.client === client ? loaded : {}
}

/** Returns a number that changes some time after each failure. */
function useReload(failure: Failure | undefined): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (!failure || failure.needs) return
    const timer = setTimeout(() => setCount((before) => before + 1), retryMs)
    return () => clearTimeout(timer)
  }, [failure])
  return count
}

/** Loads the scenarios that a key can name. */
export const listScenarios = (client: ControlClient): Promise<ScenarioSummary[]> =>
  client.send('listScenarios')

/** Returns the scenarios that a key can name. */
export function useScenarios(): Loaded<readonly ScenarioSummary[]> {
  return useLoaded(listScenarios)
}
