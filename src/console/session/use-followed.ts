import { useEffect, useRef, useState } from 'preact/hooks'
import { platform } from '../../engine/platform.js'
import type { PageClient } from './client.js'
import { type Failure, toFailure } from './failure.js'

interface Attempt<T> {
  readonly client: PageClient
  /** The latest value. It remains when it cannot be loaded again. */
  readonly value?: T | undefined
  /** Why the latest attempt to load the data failed; undefined after a success. */
  readonly failure?: Failure | undefined
  /** The version that was loaded. Undefined before the first load and after a failure. */
  readonly version?: string
  /** When the next load may begin, on the monotonic clock. */
  readonly nextMs?: number
}

/** Pause after a failure, in milliseconds. */
const retryMs = 1_500

/**
 * Loads data with a client, and again when the version changes: one load at a time, with a pause
 * after each. Changes meanwhile become one load. Tries again after a failure, unless the client needs
 * another key or a permission.
 *
 * @param load Must be the same function on each render.
 * @param toPauseMs Returns the pause after a load, in milliseconds. Default: no pause.
 */
export function useFollowed<T>(
  client: PageClient,
  load: (client: PageClient) => Promise<T>,
  version: string,
  toPauseMs: (value: T) => number = () => 0,
) {
  const [latest, setLatest] = useState<Attempt<T>>({ client })
  const shown: Attempt<T> = latest.client === client ? latest : { client }
  const wanted = useRef(version)
  wanted.current = version
  const isStale = shown.version !== version && !shown.failure?.needs
  useEffect(() => {
    if (!isStale) return
    let isShown = true
    const start = async () => {
      const { current } = wanted
      const read = await load(client).then(
        (value) => ({ value, version: current, pauseMs: toPauseMs(value) }),
        (error: unknown) => ({ value: shown.value, failure: toFailure(error), pauseMs: retryMs }),
      )
      if (isShown) setLatest({ ...read, client, nextMs: platform.monotonic() + read.pauseMs })
    }
    const timer = setTimeout(() => void start(), (shown.nextMs ?? 0) - platform.monotonic())
    return () => {
      isShown = false
      clearTimeout(timer)
    }
    // Each attempt is another object, which starts the next one if necessary.
  }, [client, isStale, load, latest])
  return {
    value: shown.value,
    failure: shown.failure,
    /** Changes the value of this client as a request has changed it. Drops a load that began before. */
    edit(change: (value: T) => T) {
      setLatest((before) => {
        if (before.client !== client || before.value === undefined) return before
        const { version: _, ...others } = before
        return { ...others, value: change(before.value) }
      })
    },
  }
}
