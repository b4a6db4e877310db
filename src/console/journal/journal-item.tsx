import { useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../control/client/console/control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { Time } from '../parts/time-label.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** Equal entries in a row, newest first. */
export type EqualEntries = readonly [JournalEntry, ...JournalEntry[]]

/** A journal entry, or equal ones: a summary, and when it is open, the details, or each of them. */
export function JournalItem(props: {
  entries: EqualEntries
  parts?: EntryParts | undefined
  /** Called when an entry is opened or closed. */
  onToggle?: (id: number, isOpen: boolean) => void
}) {
  const { entries, parts, onToggle } = props
  const [entry] = entries
  const count = entries.length
  const [isOpen, setOpen] = useState(false)
  // An entry never changes. The same element is not rendered again when others arrive.
  return useMemo(
    () => (
      <li>
        <details
          onToggle={({ currentTarget: { open } }) => {
            setOpen(open)
            if (count === 1) onToggle?.(entry.id, open)
          }}
        >
          <Summary entry={entry} count={count} />
          {isOpen &&
            (count === 1 ? (
              <RequestDetail entry={entry} parts={parts} />
            ) : (
              <ol class="entries">
                {entries.map((one) => (
                  <JournalItem key={one.id} entries={[one]} parts={parts} />
                ))}
              </ol>
            ))}
        </details>
      </li>
    ),
    [entry, count, parts, isOpen, onToggle],
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
): readonly EqualEntries[] {
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
