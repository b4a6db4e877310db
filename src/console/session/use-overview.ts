import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { LiveJournal } from '../journal/use-journal.js'
import type { PageClient } from './client.js'
import type { Failure } from './failure.js'
import { useFollowed } from './use-followed.js'

/** Interval in milliseconds. Changes that other clients make with the control API send no event. */
const pollMs = 4_000

/**
 * Calls a listener after each change of the world. Returns a function that stops it. Must be the
 * same function on each render.
 */
export type Watch = (listener: () => void) => () => void

const load = (client: PageClient) => client.send('getOverview')

/**
 * Reads the overview of the world: after each journal entry, and every few seconds, or after each
 * change if there is a `watch`.
 */
export function useOverview(
  client: PageClient,
  { revision, stream, reload }: LiveJournal,
  watch?: Watch,
): { overview: Overview | undefined; failure: Failure | undefined; refresh: () => void } {
  const [count, setCount] = useState(0)
  const refresh = useCallback(() => setCount((before) => before + 1), [])
  useEffect(() => {
    if (watch) return watch(refresh)
    const timer = setInterval(() => {
      if (!document.hidden) refresh()
    }, pollMs)
    return () => clearInterval(timer)
  }, [watch, refresh])
  const version = `${count} ${revision} ${stream.kind}`
  const { value: overview, failure } = useFollowed(client, load, version)

  // Another client has cleared the journal if the number of entries decreases.
  const requests = overview?.counts.requests ?? 0
  const previous = useRef(requests)
  useEffect(() => {
    if (requests < previous.current) reload()
    previous.current = requests
  }, [requests, reload])
  return { overview, failure, refresh }
}
