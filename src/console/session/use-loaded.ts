import { useCallback, useRef, useState } from 'preact/hooks'
import type { ControlClient } from '../../control/client/client.js'
import type { ScenarioSummary } from '../control-types.js'
import type { PageClient } from './client.js'
import { type Failure, toFailure } from './failure.js'
import { useSession } from './session.js'
import { usePaced } from './use-paced.js'

/** Data of the world. Both are undefined before the first response. */
export interface Loaded<T> {
  /** The latest value. It remains when it cannot be loaded again. */
  readonly value?: T | undefined
  /** Why the latest attempt to load the data failed; undefined after a success. */
  readonly failure?: Failure | undefined
}

const noPause = () => 0

/**
 * Loads data of the world, and again when the world, its revision or the trigger changes.
 *
 * @param load Must be the same function on each render.
 * @param trigger Loads the data again when this value changes.
 * @param toPauseMs Returns the minimum pause before the next load, in milliseconds. Must be the same
 * function on each render. Default: no pause.
 */
export function useLoaded<T>(
  load: (client: PageClient) => Promise<T>,
  trigger: string | number = '',
  toPauseMs: (value: T) => number = noPause,
): Loaded<T> {
  const { client, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly client: PageClient }>()
  const current = useRef(client)
  current.current = client
  const task = useCallback(
    async (from: PageClient) => {
      try {
        const value = await load(from)
        if (from === current.current) setLoaded({ client: from, value })
        return toPauseMs(value)
      } catch (error) {
        const failure = toFailure(error)
        if (from !== current.current) return 0
        setLoaded((before) => ({ ...(before?.client === from && before), client: from, failure }))
        if (failure.needs) return 0
        throw error
      }
    },
    [load, toPauseMs],
  )
  usePaced(client, task, `${revision} ${trigger}`)
  return loaded?.client === client ? loaded : {}
}

/** Loads the scenarios that a key can name. */
export const listScenarios = (client: ControlClient): Promise<ScenarioSummary[]> =>
  client.send('listScenarios')

/** Returns the scenarios that a key can name. */
export function useScenarios(): Loaded<readonly ScenarioSummary[]> {
  return useLoaded(listScenarios)
}
