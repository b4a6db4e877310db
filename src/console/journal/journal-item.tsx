import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { Time } from '../parts/time-label.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** A journal entry: a summary, and its details when it is open. */
export function JournalItem(props: {
  entry: JournalEntry
  parts?: EntryParts | undefined
  /** Called when the details are opened or closed. */
  onToggle?: (id: number, isOpen: boolean) => void
}) {
  const { entry, parts, onToggle } = props
  const [isOpen, setOpen] = useState(false)
  // An entry never changes. The same element is not rendered again when others arrive.
  return useMemo(
    () => (
      <li>
        <details
          onToggle={({ currentTarget: { open } }) => {
            setOpen(open)
            onToggle?.(entry.id, open)
          }}
        >
          <Summary entry={entry} />
          {isOpen && <RequestDetail entry={entry} parts={parts} />}
        </details>
      </li>
    ),
    [entry, parts, isOpen, onToggle],
  )
}

/** @param props.mark Shown beside the status. */
export function Summary({ entry, mark }: { entry: JournalEntry; mark?: string }) {
  const { request, response, at, durationMs, operation } = entry
  const target = toTarget(entry)
  return (
    <summary>
      <span>
        <StatusMark status={response.status} />
        {mark && <b class="count"> {mark}</b>}
      </span>
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

export function toTarget({ request: { path, query } }: JournalEntry): string {
  return query === null ? path : `${path}?${query}`
}
