import { useEffect, useState } from 'preact/hooks'
import type { Steering } from '../client/client.js'
import { type SteeringFailure, toFailure } from '../client/failure.js'
import { useSession } from './session.js'

/** What was loaded last, and why the last attempt failed. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly failure: SteeringFailure | undefined
}

/**
 * Loads something of the world, and again for another world or revision; what was there stays
 * until then, so that nothing on the page jumps.
 *
 * @param load The same function at each rendering, such as one at module level.
 * @param further Another value whenever it is to be loaded again besides.
 */
export function useLoaded<T>(
  load: (steering: Steering) => Promise<T>,
  further?: unknown,
): Loaded<T> {
  const { steering, revision } = useSession()
  const [loaded, setLoaded] = useState<Loaded<T> & { from?: Steering }>(nothing)
  // The revision says when to load, not what.
  useEffect(() => {
    let isWanted = true
    load(steering).then(
      (value) => isWanted && setLoaded({ value, failure: undefined, from: steering }),
      (error: unknown) =>
        isWanted && setLoaded((before) => ({ ...before, failure: toFailure(error) })),
    )
    return () => {
      isWanted = false
    }
  }, [load, steering, revision, further])
  return loaded.from === steering ? loaded : nothing
}

const nothing = { value: undefined, failure: undefined }
