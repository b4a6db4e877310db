import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { Time } from '../parts/time-label.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** A journal entry: a summary, and its details when it is open. */
export function JournalItem(props: { entry: JournalEntry; parts?: EntryParts | undefined }) {
  const { entry, parts } = props
  const [isOpen, setOpen] = useState(false)
  // An entry never changes. The same element is not rendered again when others arrive.
  return useMemo(
    () => (
      <li>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <Summary entry={entry} />
          {isOpen && <RequestDetail entry={entry} parts={parts} />}
        </details>
      </li>
    ),
    [entry, parts, isOpen],
  )
}

function Summary({ entry }: { entry: JournalEntry }) {
  const { request, response, at, durationMs, operation } = entry
  const target = request.query === null ? request.path : `${request.path}?${request.query}`
  return (
    <summary>
      <StatusMark status={response.status} />
      <span class="request-line" title={`${request.method} ${target}`}>
        <b>{request.method}</b> {target}
      </span>
      <span class="hint">
        <Time at={at} now={at} /> · {durationMs.toFixed(1)} ms · {operation ?? 'no operation'}
        {response.code && ` · ${response.code}`}
      </span>
    </summary>
  )
}
