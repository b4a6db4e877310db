import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import { Time } from '../parts/time-label.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { Alert } from './quota-alert.js'

const causes = {
  client: 'Another client restarted this world',
  evicted: 'The sandbox evicted this world to free memory, and created it again',
  outage: 'The sandbox was not available, and this world started anew',
} as const

/** A restart of the world that this page did not request. */
export interface Restart {
  readonly cause: keyof typeof causes
  /** The overview after it. */
  readonly overview: Overview
  /** Whether the world now starts from another scenario. */
  readonly isOther: boolean
}

/** Returns the latest restart of the world since the page shows it, and a function that dismisses it. */
export function useRestart(): readonly [restart: Restart | undefined, dismiss: () => void] {
  const { client, overview, failure, journal } = useSession()
  const [restart, setRestart] = useState<Restart>()
  const before = useRef<{ client: PageClient; overview: Overview; wasLost?: boolean }>(undefined)
  // The next request removes the note, which may be before the overview is read.
  const note = useRef(journal.note)
  note.current = journal.note ?? note.current
  useEffect(() => setRestart(undefined), [client])
  useEffect(() => {
    const last = before.current?.client === client ? before.current : undefined
    if (failure && last) last.wasLost = true
    if (failure || !overview) return
    before.current = { client, overview }
    if (!last || last.overview.generation === overview.generation) return
    const isEvicted = note.current?.includes('evicted')
    const cause = isEvicted ? 'evicted' : last.wasLost ? 'outage' : 'client'
    const isOther = last.overview.scenario !== overview.scenario
    setRestart(client.hasStarted(overview.generation) ? undefined : { cause, overview, isOther })
    note.current = undefined
  }, [client, overview, failure])
  return [restart, () => setRestart(undefined)]
}

/** Says that the world was restarted, but not by this page, and what the user can do. */
export function RestartAlert(props: {
  restart: Restart
  onDismiss: () => void
  /** Creates a key whose world no other client uses. */
  newKey: ComponentChildren
}) {
  const { cause, isOther, overview } = props.restart
  const { startedAt, scenario, world } = overview
  const isShared = world.label === ''
  const dismiss = (
    <button type="button" onClick={props.onDismiss}>
      Dismiss
    </button>
  )
  return (
    <Alert kind="info" actions={[isShared && props.newKey, dismiss]}>
      <b>
        {causes[cause]} at <Time at={startedAt} now={startedAt} />.
      </b>{' '}
      Its data, clock, quota and journal started again{isOther && ` from ${scenario}`}.{' '}
      {isShared
        ? 'Every client with a key like this shares the world; a private key has its own.'
        : 'Nobody needs to do anything; a snapshot can bring back a state.'}
    </Alert>
  )
}
