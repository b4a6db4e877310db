import { useSession } from '../session/session.js'

/** Shows the latest notice, and an alert if the sandbox does not respond. */
export function Notices() {
  const { failure, notice } = useSession()
  const isUnreachable = failure?.kind === 'unreachable'
  return (
    <div class="notices">
      <div role="status" aria-live="polite">
        {notice && <p class={`notice ${notice.kind}`}>{notice.text}</p>}
      </div>
      <div role="alert">
        {isUnreachable && (
          <p class="notice error">
            The sandbox does not respond. Is it still running? The page reconnects automatically.
          </p>
        )}
      </div>
    </div>
  )
}
