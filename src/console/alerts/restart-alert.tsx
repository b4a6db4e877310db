import { useEffect, useState } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import { Time } from '../parts/time.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { Alert } from './quota-alert.js'

/** Returns the overview if the world was restarted, but not by this page, and a function that dismisses it. */
export function useRestart(): readonly [restarted: Overview | undefined, dismiss: () => void] {
  const { client, overview } = useSession()
  const generation = overview?.generation
  /** The world when the page showed it first, or when the user dismissed the sentence. */
  const [known, setKnown] = useState<{ client: PageClient; generation?: number | undefined }>()
  const dismiss = () => setKnown({ client, generation })
  const isNew = known?.client !== client || known.generation === undefined
  useEffect(() => {
    if (isNew) dismiss()
  }, [isNew, client, generation])
  const isKnown = generation === known?.generation || generation === client.startedGeneration
  return [isNew || isKnown || client.isStarting ? undefined : overview, dismiss]
}

/**
 * Says that the world was restarted, but not by this page, and what the user can do.
 *
 * @param props.overview The overview after the restart.
 */
export function RestartAlert(props: { overview: Overview; onDismiss: () => void }) {
  const { startedAt, scenario, world } = props.overview
  const dismiss = (
    <button type="button" onClick={props.onDismiss}>
      Dismiss
    </button>
  )
  return (
    <Alert kind="info" actions={dismiss}>
      <b>
        This world was restarted at <Time at={startedAt} now={startedAt} />, but not by this page.
      </b>{' '}
      Its data, clock, quota and journal started again from {scenario}.{' '}
      {world.label === ''
        ? 'Every client with a key like this shares the world; a new private key has its own.'
        : 'Another client did it, or the sandbox itself; a snapshot can bring back a state.'}
    </Alert>
  )
}
