import { useEffect, useState } from 'preact/hooks'
import type { ControlClient } from '../client/client.js'
import { type ControlFailure, toFailure } from '../client/failure.js'
import { useSession } from './session.js'

/** What was loaded last, and why the last attempt failed. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly failure: ControlFailure | undefined
}

/**
 * Loads something of the world, and again for another world or revision; what was there stays
 * until then, so that nothing on the page jumps.
 *
 * @param load The same function at each rendering, such as one at module level.
 * @param further Another value whenever it is to be loaded again besides.
 */
export function useLoaded<T>(
  load: (client: ControlClient) => Promise<T>,
  further?: unknown,
): Loaded<T> {
  const { client, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T> & { from?: ControlClient }>(nothing)
  // The revision says when to load, not what.
  useEffect(() => {
    let isWanted = true
    load(client).then(
      (value) => isWanted && setLoaded({ value, failure: undefined, from: client }),
      (error: unknown) =>
        isWanted && setLoaded((before) => ({ ...before, failure: toFailure(error) })),
    )
    return () => {
      isWanted = false
    }
  }, [load, client, revision, further])
  return loaded.from === client ? loaded : nothing
}

const nothing = { value: undefined, failure: undefined }
