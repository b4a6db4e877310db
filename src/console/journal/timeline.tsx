import { useMemo } from 'preact/hooks'
import { lengths, units } from '../../report/interval.js'
import type { Timeline as ReportTimeline } from '../../report/report.js'
import { TimelineCounter } from '../../report/timeline.js'
import type { JournalEntry } from '../control-types.js'
import { type TimeBar, TimeChart } from '../parts/time-chart.js'
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
  const counter = new TimelineCounter(first, last, wholeLengths, maximumBars)
  for (const { at, response } of entries) {
    counter.add({ atMs: Date.parse(at), status: response.status, traits: response })
  }
  const timeline = counter.toTimeline()
  return { bars: toTimeBars(timeline), stepMs: timeline.intervalMs }
}

/** Returns the intervals of a timeline with their times. */
export function toTimeBars({ startAt, intervalMs, intervals }: ReportTimeline): readonly TimeBar[] {
  const firstMs = Date.parse(startAt ?? '')
  return intervals.map((counts, at) => ({ startMs: firstMs + at * intervalMs, counts }))
}
