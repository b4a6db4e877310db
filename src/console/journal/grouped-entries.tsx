import { useCallback, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { JournalItem, Summary, toTarget } from './journal-item.js'
import type { EntryParts } from './request-detail.js'

/** Equal entries in a row, newest first. */
type Group = readonly [JournalEntry, ...JournalEntry[]]

/** Entries, of which equal ones in a row are one line, except those that are open. */
export function GroupedEntries(props: { entries: readonly JournalEntry[]; parts: EntryParts }) {
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
          <JournalGroup key={key} entries={group} parts={parts} />
        ) : (
          <JournalItem key={key} entry={group[0]} parts={parts} onToggle={onToggle} />
        )
      })}
    </ol>
  )
}

/** The summary of the newest of equal entries, and all of them when it is open. */
function JournalGroup({ entries, parts }: { entries: Group; parts: EntryParts }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <Summary entry={entries[0]} mark={`× ${entries.length}`} />
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
