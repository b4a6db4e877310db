import type { ComponentChildren } from 'preact'
import { Time } from '../parts/time-label.js'
import { useSession } from '../session/session.js'
import { Alert } from './alert.js'
import type { Restart } from './use-restart.js'

/** Says that the world was restarted, but not by this page, and what the user can do. */
export function RestartAlert(props: {
  restart: Restart
  onDismiss: () => void
  /** Creates a key whose world no other client uses. */
  newKey: ComponentChildren
}) {
  const { restart, onDismiss, newKey } = props
  const { overview } = useSession()
  const isShared = overview?.world.label === ''
  return (
    <Alert
      kind="info"
      actions={
        <>
          {isShared && newKey}
          <button type="button" onClick={onDismiss}>
            Dismiss
          </button>
        </>
      }
    >
      <b>
        {causes[restart.cause]} at <Time at={restart.at} now={restart.at} />.
      </b>{' '}
      Its data, clock, quota and journal started again
      {restart.scenario ? ` from ${restart.scenario}` : ''}.{' '}
      {isShared
        ? 'Every client with a key like this shares the world; a private key has its own.'
        : 'Nobody needs to do anything; a snapshot can bring back a state.'}
    </Alert>
  )
}

const causes: Record<Restart['cause'], string> = {
  client: 'Another client restarted this world',
  evicted: 'The sandbox evicted this world to free memory, and created it again',
  outage: 'The sandbox was not available, and this world started anew',
}
