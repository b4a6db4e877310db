import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { JournalRow } from '../client/shapes.js'
import { formatTime } from '../parts/moment.js'
import { StatusMark } from '../parts/status-mark.js'
import { CallDetail } from './call-detail.js'

/** One call in a line; opened, all that is known of it. */
export const JournalLine = memo(function JournalLine({ row }: { row: JournalRow }) {
  const [isOpen, setOpen] = useState(false)
  const { request, response, at, durationMs, operation } = row
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <StatusMark status={response.status} />
          <span class="call">
            <b>{request.method}</b> {request.path}
          </span>
          <span class="hint">
            {formatTime(at)} · {durationMs.toFixed(1)} ms · {operation ?? 'no operation'}
            {response.code && ` · ${response.code}`}
          </span>
        </summary>
        {isOpen && <CallDetail row={row} />}
      </details>
    </li>
  )
})
