import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ControlClient } from '../client/client.js'
import { type ControlFailure, toFailure } from '../client/failure.js'
import type { Overview } from '../client/shapes.js'
import type { LiveJournal } from '../journal/use-journal.js'

/** Others may steer the same world, which no event tells of. */
const pollMs = 4_000

interface Reading {
  readonly client: ControlClient
  readonly overview?: Overview
  readonly failure?: ControlFailure
}

/** The world at a glance, read again after each call that reaches it, and now and then. */
export function useOverview(
  client: ControlClient,
  journal: LiveJournal,
): { overview?: Overview; failure?: ControlFailure; refresh: () => Promise<void> } {
  const [reading, setReading] = useState<Reading>({ client })
  const refresh = useCallback(async () => {
    const read = await client.overview().then(
      (overview) => ({ client, overview }),
      (error: unknown) => ({ client, failure: toFailure(error) }),
    )
    setReading((before) =>
      before.client === client ? { ...withoutFailure(before), ...read } : before,
    )
  }, [client])

  useEffect(() => {
    setReading({ client })
    void refresh()
  }, [client, refresh])

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

  const { client: readBy, ...shown } = reading
  return { ...(readBy === client && shown), refresh }
}

function withoutFailure({ failure: _, ...rest }: Reading): Reading {
  return rest
}
