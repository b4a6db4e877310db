import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'

/** A restart of the world that this page did not request. */
export interface Restart {
  /** `outage`: the sandbox did not respond before, and has probably lost the world. */
  readonly cause: 'client' | 'evicted' | 'outage'
  /** Real time, ISO 8601. */
  readonly at: string
  /** The scenario that the world now starts from, if it is another one than before. */
  readonly scenario: string | undefined
}

interface Watched {
  readonly client: PageClient
  readonly overview: Overview
  readonly wasUnavailable: boolean
}

/**
 * Returns the latest restart of the world since the page shows it, and a function that dismisses it.
 * Undefined if this page requested it.
 */
export function useRestart(): {
  readonly restart: Restart | undefined
  dismissRestart(): void
} {
  const { client, overview, failure, journal } = useSession()
  const [restart, setRestart] = useState<Restart>()
  const watched = useRef<Watched | undefined>(undefined)
  // The note belongs to the restart before the next request, so it is read here, but causes nothing.
  const note = useRef(journal.note)
  note.current = journal.note ?? note.current
  const dismissRestart = useCallback(() => setRestart(undefined), [])
  useEffect(() => setRestart(undefined), [client])
  useEffect(() => {
    const before = watched.current?.client === client ? watched.current : undefined
    if (failure && before) watched.current = { ...before, wasUnavailable: true }
    if (failure || !overview) return
    watched.current = { client, overview, wasUnavailable: false }
    if (!before || before.overview.generation === overview.generation) return
    const isOwn = client.hasStarted(overview.generation)
    setRestart(isOwn ? undefined : toRestart(before, overview, note.current))
    note.current = undefined
  }, [client, overview, failure])
  return { restart, dismissRestart }
}

function toRestart(before: Watched, now: Overview, note: string | undefined): Restart {
  const isEvicted = note?.includes('evicted') ?? false
  return {
    cause: isEvicted ? 'evicted' : before.wasUnavailable ? 'outage' : 'client',
    at: now.startedAt,
    scenario: now.scenario === before.overview.scenario ? undefined : now.scenario,
  }
}
