import { Card } from '../parts/card.js'
import { useSession } from './session.js'
import { TokenField } from './token-field.js'

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
