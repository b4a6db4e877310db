import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import type { EntryFilter } from './filter.js'
import type { JournalLog } from './journal-panel.js'
import { readSecond, toSecond } from './text-and-time.js'

/** The fields of the filter for a text and for the time. */
export function TextAndTimeFields({ log: { filter, setFilter } }: { log: JournalLog }) {
  const toTimeField = (name: 'from' | 'to', label: string) => (
    <label class="field">
      {label}
      <input
        type="datetime-local"
        step={1}
        value={filter[name]}
        onChange={(event) =>
          setFilter({ ...filter, [name]: readSecond(event.currentTarget.value) })
        }
      />
    </label>
  )
  return (
    <>
      <label class="field wide">
        Text
        <input
          type="search"
          placeholder="path, header, body, code"
          value={filter.text}
          maxLength={200}
          onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      {toTimeField('from', 'From (UTC)')}
      {toTimeField('to', 'To (UTC)')}
      <RecentButton filter={filter} onChange={setFilter} />
    </>
  )
}

/** States the parts of the filter whose fields are not shown beside the other views. */
export function HiddenFilter({ log: { filter } }: { log: JournalLog }) {
  const { text, from, to } = filter
  const parts = [
    text && `text “${text}”`,
    from && `from ${from.replace('T', ' ')} UTC`,
    to && `to ${to.replace('T', ' ')} UTC`,
  ].filter(Boolean)
  return (
    <p role="status" class="hidden-filter">
      {parts.length > 0 && `Filtered by ${parts.join(', ')}.`}
    </p>
  )
}

const recentMs = 300_000

/** Selects the last minutes on the clock of the world. */
function RecentButton(props: { filter: EntryFilter; onChange: (filter: EntryFilter) => void }) {
  const { overview } = useSession()
  const { now, frozen = false } = overview?.clock ?? {}
  const time = useRunningClock(now, frozen)
  return (
    <button
      type="button"
      disabled={time === undefined}
      onClick={() =>
        props.onChange({ ...props.filter, from: toSecond((time ?? 0) - recentMs), to: '' })
      }
    >
      From 5 minutes ago
    </button>
  )
}
