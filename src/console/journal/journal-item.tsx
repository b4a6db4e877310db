import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../control/client/console/control-types.js'
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
          <Summary entry={entry} count={1} />
          {isOpen && <RequestDetail entry={entry} parts={parts} />}
        </details>
      </li>
    ),
    [entry, parts, isOpen, onToggle],
  )
}

/** Equal entries in a row: the summary of the newest one, and all of them when it is open. */
export function JournalGroup(props: {
  /** Newest first. */
  entries: readonly [JournalEntry, ...JournalEntry[]]
  parts?: EntryParts | undefined
}) {
  const { entries, parts } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <Summary entry={entries[0]} count={entries.length} />
        {isOpen && (
          <ol class="entries">
            {entries.map((entry) => (
              <JournalItem key={entry.id} entry={entry} parts={parts} />
            ))}
          </ol>
        )}
      </details>
    </li>
  )
}

function Summary({ entry, count }: { entry: JournalEntry; count: number }) {
  const { request, response, at, durationMs, operation } = entry
  const target = toTarget(entry)
  return (
    <summary>
      <span>
        <StatusMark status={response.status} />
        {count > 1 && <b class="count"> × {count}</b>}
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

function toTarget({ request: { path, query } }: JournalEntry): string {
  return query === null ? path : `${path}?${query}`
}

/** Groups entries in a row with the same request line, address, status and code. */
export function groupEqual(
  entries: readonly JournalEntry[],
  /** Ids of entries that stay alone. */
  alone: ReadonlySet<number>,
): readonly (readonly [JournalEntry, ...JournalEntry[]])[] {
  const groups: [JournalEntry, ...JournalEntry[]][] = []
  let before: string | undefined
  for (const entry of entries) {
    const { address, request, response } = entry
    const line = [address, request.method, toTarget(entry), response.status, response.code]
    const text = alone.has(entry.id) ? undefined : JSON.stringify(line)
    if (text !== undefined && text === before) groups.at(-1)?.push(entry)
    else groups.push([entry])
    before = text
  }
  return groups
}
