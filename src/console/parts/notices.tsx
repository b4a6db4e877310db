import { useSession } from '../session/session.js'
import { useKeptFocus } from './use-kept-focus.js'

/** Shows the notices: failures until they are dismissed, and the latest success. */
export function Notices() {
  const { notices, dismiss } = useSession()
  const part = useKeptFocus<HTMLDivElement>()
  return (
    <div ref={part} tabIndex={-1} class="notices" role="status">
      {notices.map((notice) => (
        <div key={notice.id} class={`notice ${notice.kind}`}>
          <p>{notice.text}</p>
          <DismissButton label="Dismiss" onClick={() => dismiss(notice)} />
        </div>
      ))}
    </div>
  )
}

/** A button with a cross. */
export function DismissButton(props: { label: string; onClick: () => void }) {
  const { label, onClick } = props
  return (
    <button type="button" class="dismiss" aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path stroke="currentcolor" stroke-width="2" d="M3 3l10 10M13 3L3 13" />
      </svg>
    </button>
  )
}
