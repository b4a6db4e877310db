import { Card } from '../parts/card.js'
import { FailureDetails } from '../parts/failure-details.js'
import { useSession } from './session.js'

/** Shown above a view, and instead of a view of the world, while control requests fail. */
export function FailureCard() {
  const { failure, refresh } = useSession()
  return (
    <div class="failure" role="alert">
      {failure && !failure.needsOtherAccess && (
        <Card title="The state of this world is not available">
          <FailureDetails failure={failure} />
          <div class="actions">
            <button type="button" onClick={() => void refresh()}>
              Try again
            </button>
            <span class="hint">The page tries again by itself.</span>
          </div>
        </Card>
      )}
    </div>
  )
}
