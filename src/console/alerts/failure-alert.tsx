import type { ComponentChildren } from 'preact'
import { defaultAccess } from '../session/access.js'
import type { Failure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { Alert } from './alert.js'
import { explainKey } from './invalid-key.js'

/** Says why the world is not available: the key is invalid, or control requests fail. */
export function FailureAlert(props: {
  failure: Failure
  /** Creates another key. */
  newKey: ComponentChildren
}) {
  const { failure, newKey } = props
  if (failure.needs === 'key') return <KeyAlert failure={failure} newKey={newKey} />
  if (failure.needs === 'permission') return null
  return <OutageAlert failure={failure} />
}

function KeyAlert({ failure, newKey }: { failure: Failure; newKey: ComponentChildren }) {
  const { access, setAccess } = useSession()
  const { reason } = explainKey(access.apiKey, failure.message)
  return (
    <Alert
      kind="bad"
      actions={
        <>
          <button
            type="button"
            onClick={() => setAccess({ ...access, apiKey: defaultAccess.apiKey })}
          >
            Use {defaultAccess.apiKey}
          </button>
          {newKey}
        </>
      }
    >
      <b>The API key is not valid:</b> {reason}. Change it above, use the default key, or create
      one.
    </Alert>
  )
}

function OutageAlert({ failure }: { failure: Failure }) {
  const { refresh } = useSession()
  return (
    <Alert
      kind="bad"
      actions={
        <button type="button" onClick={() => void refresh()}>
          Try again
        </button>
      }
    >
      <b>The state of this world is not available.</b> {describeOutage(failure)} The page tries
      again by itself.
    </Alert>
  )
}

function describeOutage({ code, message, advice }: Failure): string {
  if (code === 'sandbox_unavailable') {
    return `The sandbox cannot reach the store of its worlds, and rejects every request until it can; no confirmed change is lost. ${advice}`
  }
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${advice}`
}
