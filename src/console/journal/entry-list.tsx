import { useCallback, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { Time } from '../parts/time-label.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** Number of entries that a list shows at a time. */
export const pageSize = 50

/** Equal entries in a row, newest first. */
type Group = readonly [JournalEntry, ...JournalEntry[]]

/** Entries, of which equal ones in a row are one line, except those that are open. */
export function EntryList(props: { entries: readonly JournalEntry[]; parts: EntryParts }) {
  const { entries, parts } = props
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const onToggle = useCallback((id: number, isOpen: boolean) => {
    setOpened((before) => new Set([...before, id].filter((at) => isOpen || at !== id)))
  }, [])
  return (
    <ol class="entries">
      {groupEqual(entries, opened).map((group) => {
        // Newer entries join a group at its beginning.
        const key = group.at(-1)?.id
        return group.length > 1 ? (
          <EntryGroup key={key} entries={group} parts={parts} />
        ) : (
          <EntryItem key={key} entry={group[0]} parts={parts} onToggle={onToggle} />
        )
      })}
    </ol>
  )
}

/** The summary of the newest of equal entries, and all of them when it is open. */
function EntryGroup({ entries, parts }: { entries: Group; parts: EntryParts }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <Summary entry={entries[0]} mark={`× ${entries.length}`} />
        {isOpen && (
          <ol class="entries">
            {entries.map((entry) => (
              <EntryItem key={entry.id} entry={entry} parts={parts} />
            ))}
          </ol>
        )}
      </details>
    </li>
  )
}

/** Groups entries in a row with the same request line, address, status and code. */
function groupEqual(
  entries: readonly JournalEntry[],
  /** Ids of entries that stay alone. */
  alone: ReadonlySet<number>,
): readonly Group[] {
  const groups: [JournalEntry, ...JournalEntry[]][] = []
  let before = ''
  for (const entry of entries) {
    const { id, address, request, response } = entry
    const line = [address, request.method, toTarget(entry), response.status, response.code]
    const text = alone.has(id) ? `${id}` : `${line}`
    if (text === before) groups.at(-1)?.push(entry)
    else groups.push([entry])
    before = text
  }
  return groups
}

/** A journal entry: a summary, and its details when it is open. */
function EntryItem(props: {
  entry: JournalEntry
  parts: EntryParts
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
function Summary({ entry, mark }: { entry: JournalEntry; mark?: string }) {
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

function toTarget({ request: { path, query } }: JournalEntry): string {
  return query === null ? path : `${path}?${query}`
}
