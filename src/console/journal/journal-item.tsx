import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../client/control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { formatTime } from '../parts/time.js'
import { RequestDetail } from './request-detail.js'

/** A journal entry: a summary, and its details when it is open. */
export const JournalItem = memo(function JournalItem({ entry }: { entry: JournalEntry }) {
  const [isOpen, setOpen] = useState(false)
  const { request, response, at, durationMs, operation } = entry
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <StatusMark status={response.status} />
          <span class="request-line">
            <b>{request.method}</b> {request.path}
          </span>
          <span class="hint">
            {formatTime(at)} · {durationMs.toFixed(1)} ms · {operation ?? 'no operation'}
            {response.code && ` · ${response.code}`}
          </span>
        </summary>
        {isOpen && <RequestDetail entry={entry} />}
      </details>
    </li>
  )
})
