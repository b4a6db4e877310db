import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { StatusMark } from '../parts/status-mark.js'
import { Time } from '../parts/time.js'
import { type EntryParts, RequestDetail } from './request-detail.js'

/** Equal entries in a row, newest first. */
type Group = readonly [JournalEntry, ...JournalEntry[]]

/** Entries, of which equal ones in a row are one line, except those that are open. */
export function EntryList(props: { entries: readonly JournalEntry[]; parts: EntryParts }) {
  const { entries, parts } = props
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const toggle = (id: number, isOpen: boolean) =>
    setOpened((before) => new Set([...before, id].filter((at) => isOpen || at !== id)))
  return (
    <ol class="entries">
      {groupEqual(entries, opened).map((group) => {
        const [entry] = group
        // Newer entries join a group at its beginning.
        const key = group.at(-1)?.id
        return group.length > 1 ? (
          <Line key={key} entry={entry} mark={`× ${group.length}`}>
            <ol class="entries">
              {group.map((each) => (
                <Line key={each.id} entry={each}>
                  <RequestDetail entry={each} parts={parts} />
                </Line>
              ))}
            </ol>
          </Line>
        ) : (
          <Line key={key} entry={entry} onToggle={(isOpen) => toggle(entry.id, isOpen)}>
            <RequestDetail entry={entry} parts={parts} />
          </Line>
        )
      })}
    </ol>
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

/** The summary of an entry. The children are shown when it is open. */
function Line(props: {
  entry: JournalEntry
  /** Shown beside the status. */
  mark?: string
  onToggle?: (isOpen: boolean) => void
  children: ComponentChildren
}) {
  const { entry, mark, onToggle, children } = props
  const { request, response, at, durationMs, operation } = entry
  const [isOpen, setOpen] = useState(false)
  const target = toTarget(entry)
  return (
    <li>
      <details
        onToggle={({ currentTarget: { open } }) => {
          setOpen(open)
          onToggle?.(open)
        }}
      >
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
        {isOpen && children}
      </details>
    </li>
  )
}

function toTarget({ request: { path, query } }: JournalEntry): string {
  return query === null ? path : `${path}?${query}`
}
