import { useSession } from '../session/session.js'

/** Shows the latest notice. */
export function Notices() {
  const { notice } = useSession()
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice && <p class={`notice ${notice.kind}`}>{notice.text}</p>}
    </div>
  )
}
