import { useMemo } from 'preact/hooks'
import { responseKinds } from '../../report/format/timeline.js'
import { lengths, selectInterval, units } from '../../report/interval.js'
import type { TimelineInterval } from '../../report/report.js'
import type { JournalEntry } from '../control-types.js'
import { toKind } from '../parts/status-mark.js'
import { TimeChart } from '../parts/time-chart.js'
import { toSecond } from './filter.js'
import type { JournalLog } from './journal-card.js'

/** The entries that match, over the time of the world. A bar, or several, narrow the filter. */
export function Timeline({ log }: { log: JournalLog }) {
  const { matches, filter, setFilter } = log
  const { bars, stepMs } = useMemo(() => toBars(matches), [matches])
  return (
    <TimeChart
      bars={bars}
      stepMs={stepMs}
      hint="Select a bar to see its requests."
      onSelect={(fromMs, toMs) =>
        setFilter({ ...filter, from: toSecond(fromMs), to: toSecond(toMs - 1) })
      }
    />
  )
}

/** The filter has whole seconds. */
const wholeLengths = lengths.filter((length) => length >= units.second)

export const maximumBars = 40

/** Counts entries by their time and the kind of their response. */
export function toBars(entries: readonly JournalEntry[]) {
  const times = entries.map(({ at }) => Date.parse(at))
  if (times.length === 0) return { bars: [], stepMs: units.second }
  // The clock of a world may run backwards.
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const stepMs = selectInterval(first, last, wholeLengths, maximumBars)
  const start = Math.floor(first / stepMs)
  const bars = Array.from({ length: Math.floor(last / stepMs) - start + 1 }, (_, at) => ({
    startMs: (start + at) * stepMs,
    counts: { succeeded: 0, clientErrors: 0, rateLimited: 0, serverErrors: 0, broken: 0 },
  }))
  for (const { at, response } of entries) {
    const bar = bars[Math.floor(Date.parse(at) / stepMs) - start]
    if (bar) bar.counts[toField(response)] += 1
  }
  return { bars, stepMs }
}

function toField({ status, aborted }: JournalEntry['response']): keyof TimelineInterval {
  const kind = toKind(aborted ? 0 : status)
  return responseKinds.find(({ color }) => color === kind)?.field ?? 'broken'
}
