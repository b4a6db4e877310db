import { isSendable } from '../../service/validation/options.js'
import { Card } from '../parts/card.js'
import { useSession } from './session.js'

/** Shown instead of a view of the world if the sandbox does not permit control requests. */
export function ControlDenied() {
  const { access, setAccess, failure } = useSession()
  return (
    <Card title="Control is not permitted">
      <p>The sandbox rejected the request: {failure?.message}.</p>
      <p>The service itself is still available: try its operations in the other views.</p>
      <TokenField />
      <div class="actions">
        <button type="button" class="primary" onClick={() => setAccess({ ...access })}>
          Try again
        </button>
      </div>
    </Card>
  )
}

/** Reads the token that a sandbox can require for control requests. It is kept like the key. */
export function TokenField() {
  const { access, setAccess } = useSession()
  const change = (typed: string) => {
    const token = typed.trim() || undefined
    if (!token || isSendable(token)) setAccess({ ...access, token })
  }
  return (
    <label class="field">
      Sandbox token, if the sandbox requires one
      <input
        class="code"
        type="password"
        value={access.token ?? ''}
        onInput={(event) => change(event.currentTarget.value)}
        pattern="\s*[!-~]*\s*"
        title="visible ASCII characters"
        autocomplete="off"
      />
    </label>
  )
}
