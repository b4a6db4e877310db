import { useSession } from '../session/session.js'

/** At the foot of the page: what was done just now, and whether the sandbox is there at all. */
export function ConnectionNotice() {
  const { failure, notice } = useSession()
  const isGone = failure?.kind === 'unreachable'
  return (
    <div class="notices">
      <div role="status" aria-live="polite">
        {notice && <p class={`notice ${notice.kind}`}>{notice.text}</p>}
      </div>
      <div role="alert">
        {isGone && (
          <p class="notice error">
            The sandbox does not answer. Is it still running? The page goes on by itself as soon as
            it is back.
          </p>
        )}
      </div>
    </div>
  )
}
