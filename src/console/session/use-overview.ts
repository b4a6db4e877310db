import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { LiveJournal } from '../journal/use-journal.js'
import type { Overview } from '../client/shapes.js'
import type { Steering } from '../client/client.js'
import { type SteeringFailure, toFailure } from '../client/failure.js'

/** Others may steer the same world, which no event tells of. */
const pollMs = 4_000

interface Reading {
  readonly steering: Steering
  readonly overview?: Overview
  readonly failure?: SteeringFailure
}

/** The world at a glance, read again after each call that reaches it, and now and then. */
export function useOverview(
  steering: Steering,
  journal: LiveJournal,
): { overview?: Overview; failure?: SteeringFailure; refresh: () => Promise<void> } {
  const [reading, setReading] = useState<Reading>({ steering })
  const refresh = useCallback(async () => {
    const read = await steering.overview().then(
      (overview) => ({ steering, overview }),
      (error: unknown) => ({ steering, failure: toFailure(error) }),
    )
    setReading((before) =>
      before.steering === steering ? { ...withoutFailure(before), ...read } : before,
    )
  }, [steering])

  useEffect(() => {
    setReading({ steering })
    void refresh()
  }, [steering, refresh])

  const isRefused = reading.failure?.kind === 'refused'
  useEffect(() => {
    if (isRefused) return
    const timer = setInterval(() => {
      if (!document.hidden) void refresh()
    }, pollMs)
    return () => clearInterval(timer)
  }, [isRefused, refresh])

  const { isLive, revision, reload } = journal
  // They say when to read, not what.
  useEffect(() => {
    if (isLive) void refresh()
  }, [isLive, revision, refresh])

  const recorded = reading.overview?.counts.requests ?? 0
  const recordedBefore = useRef(recorded)
  useEffect(() => {
    // Someone cleared the journal or started the world anew.
    if (recorded < recordedBefore.current) reload()
    recordedBefore.current = recorded
  }, [recorded, reload])

  const { steering: readBy, ...shown } = reading
  return { ...(readBy === steering && shown), refresh }
}

function withoutFailure({ failure: _, ...rest }: Reading): Reading {
  return rest
}
