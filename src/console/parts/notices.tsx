import { useSession } from '../session/session.js'
import type { Notice } from '../session/use-notice.js'

/** Shows the notices: failures until they are dismissed, and the latest success. */
export function Notices() {
  const { notices, hold } = useSession()
  return (
    <div
      class="notices"
      role="status"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      {notices.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeItem({ notice: { id, text, kind } }: { notice: Notice }) {
  const { dismiss } = useSession()
  return (
    <div class={`notice ${kind}`}>
      <p>{text}</p>
      <DismissButton label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  )
}

/** A button with a cross. */
export function DismissButton(props: { label: string; onClick: () => void }) {
  const { label, onClick } = props
  return (
    <button type="button" class="dismiss" aria-label={label} title={label} onClick={onClick}>
      <CloseIcon />
    </button>
  )
}

/** A cross. */
export function CloseIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path stroke="currentcolor" stroke-width="2" d="M3 3l10 10M13 3L3 13" />
    </svg>
  )
}
