import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { LiveJournal } from '../journal/use-journal.js'
import type { PageClient } from './client.js'
import { type Failure, toFailure } from './failure.js'

/** Interval in milliseconds. Changes that other clients make with the control API send no event. */
const pollMs = 4_000
/** Interval after a failure, in milliseconds. */
const retryMs = 1_500

/**
 * Calls a listener after each change of the world. Returns a function that stops it. Must be the
 * same function on each render.
 */
export type Watch = (listener: () => void) => () => void

interface Reading {
  readonly client: PageClient
  /** Number of the request that brought it. */
  readonly run: number
  readonly overview?: Overview
  readonly failure?: Failure
}

/**
 * Reads the overview of the world: after each journal entry or failure, and every few seconds, or
 * after each change if there is a `watch`.
 */
export function useOverview(
  client: PageClient,
  journal: LiveJournal,
  watch?: Watch,
): { overview?: Overview; failure?: Failure; refresh: () => Promise<void> } {
  const { reading, refresh } = useReading(client)
  const { client: readBy, run: _, ...shown } = reading
  usePolling(refresh, toInterval(reading.failure, watch))
  useEffect(() => watch?.(() => void refresh()), [watch, refresh])

  const { failure, revision, reload } = journal
  const isLive = journal.stream.kind === 'open'
  // The revision is a dependency only to refresh the overview.
  useEffect(() => {
    if (isLive || failure) void refresh()
  }, [isLive, failure, revision, refresh])
  useDecrease(reading.overview?.counts.requests ?? 0, reload)
  return { ...(readBy === client && shown), refresh }
}

/** Returns the latest overview or failure of a client, and a function that refreshes it. */
function useReading(client: PageClient): { reading: Reading; refresh: () => Promise<void> } {
  const [reading, setReading] = useState<Reading>({ client, run: 0 })
  const runs = useRef(0)
  const refresh = useCallback(async () => {
    runs.current += 1
    const run = runs.current
    const read = await client.send('getOverview').then(
      (overview) => ({ overview }),
      (error: unknown) => ({ failure: toFailure(error) }),
    )
    setReading((before) =>
      // A response that another one has overtaken is older than what the page shows.
      before.client === client && before.run < run
        ? { ...withoutFailure(before), ...read, run }
        : before,
    )
  }, [client])
  useEffect(() => {
    setReading({ client, run: 0 })
    void refresh()
  }, [client, refresh])
  return { reading, refresh }
}

/** Returns the interval between two readings; undefined if another one would bring nothing new. */
function toInterval(failure: Failure | undefined, watch: Watch | undefined): number | undefined {
  if (!failure) return watch ? undefined : pollMs
  return failure.needs ? undefined : retryMs
}

function usePolling(refresh: () => Promise<void>, intervalMs: number | undefined): void {
  useEffect(() => {
    if (intervalMs === undefined) return
    const timer = setInterval(() => {
      if (!document.hidden) void refresh()
    }, intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs, refresh])
}

/** Detects that the journal was cleared or the world restarted: the number of entries decreased. */
function useDecrease(count: number, onDecrease: () => void): void {
  const previous = useRef(count)
  useEffect(() => {
    if (count < previous.current) onDecrease()
    previous.current = count
  }, [count, onDecrease])
}

function withoutFailure({ failure: _, ...rest }: Reading): Reading {
  return rest
}
