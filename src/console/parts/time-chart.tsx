import { useId, useState } from 'preact/hooks'
import { countResponses, responseKinds } from '../../report/format/timeline.js'
import type { Severity, TimelineInterval } from '../../report/report.js'
import { formatCount } from './count.js'
import { formatDuration, formatTimestamp } from './time.js'

/** The responses in one interval. */
export interface TimeBar {
  /** Milliseconds since the epoch. */
  readonly startMs: number
  readonly counts: TimelineInterval
  /** Severity of each violation in the interval. Undefined if the chart does not show violations. */
  readonly violations?: readonly Severity[] | undefined
}

interface TimeChartProps {
  /** Oldest first, without a gap. */
  readonly bars: readonly TimeBar[]
  /** Length of an interval in milliseconds. */
  readonly stepMs: number
  /** What happens when a bar is selected, in one sentence. */
  readonly hint: string
  /** The time that is selected. */
  readonly selected?: { readonly fromMs: number; readonly toMs: number } | undefined
  /** Selects the time from the start of one bar to the end of another. */
  readonly onSelect: (fromMs: number, toMs: number) => void
}

/** Numbers of responses over time, by their kind: stacked bars, of which some can be selected. */
export function TimeChart(props: TimeChartProps) {
  const { bars, stepMs, hint } = props
  const [first] = bars
  const last = bars.at(-1)
  if (!first || !last) return null
  const peak = Math.max(1, ...bars.map(({ counts }) => countResponses(counts)))
  const unit = stepMs < 1_000 ? `${stepMs} ms` : formatDuration(stepMs)
  return (
    <figure class="time-chart">
      <p class="hint">
        At most {formatCount(peak, 'responses')} in {unit}
      </p>
      <Bars {...props} peak={peak} />
      <p class="hint axis">
        <span>{formatStart(first.startMs, stepMs)}</span>
        <span>{formatStart(last.startMs + stepMs, stepMs)} UTC</span>
      </p>
      <figcaption>
        <ul class="legend" aria-label="Totals">
          {responseKinds.map(({ field, name, color }) => (
            <li key={field}>
              <span class={`key kind-${color}`} />{' '}
              <b>{bars.reduce((sum, { counts }) => sum + counts[field], 0).toLocaleString('en')}</b>{' '}
              {name}
            </li>
          ))}
        </ul>
        <p class="hint">{hint} With Shift or by dragging, select several.</p>
      </figcaption>
    </figure>
  )
}

/** The bars as options of a list, so that the focus stays although bars are replaced. */
function Bars(props: TimeChartProps & { peak: number }) {
  const { bars, stepMs, peak } = props
  const id = useId()
  const { active, contains, onKeyDown, toHandlers } = useRange(props)
  const shown = bars[active]
  return (
    <>
      <div
        class="bars"
        role="listbox"
        tabIndex={0}
        aria-multiselectable="true"
        aria-label="Responses over time. The arrow keys move between bars, with Shift they select several, and Enter shows the selection."
        aria-activedescendant={`${id}${active}`}
        onKeyDown={onKeyDown}
      >
        {bars.map((bar, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus.
          <span
            key={at}
            id={`${id}${at}`}
            class={at === active ? 'bar active' : 'bar'}
            role="option"
            aria-selected={contains(at)}
            aria-label={describeBar(bar, stepMs)}
            title={describeBar(bar, stepMs)}
            {...toHandlers(at)}
          >
            <Column bar={bar} peak={peak} />
          </span>
        ))}
      </div>
      <p class="hint">{shown && describeBar(shown, stepMs)}</p>
    </>
  )
}

/** The selection of bars with the pointer and with the keyboard. */
function useRange({ bars, stepMs, selected, onSelect }: TimeChartProps) {
  const last = bars.length - 1
  const [range, setRange] = useState({ anchor: last, active: last })
  const anchor = Math.min(range.anchor, last)
  const active = Math.min(range.active, last)
  const moveTo = (at: number, isExtended: boolean) =>
    setRange({ anchor: isExtended ? anchor : at, active: at })
  const toStart = (at: number) => (bars[0]?.startMs ?? 0) + at * stepMs
  const select = (from: number, to: number) => {
    moveTo(to, false)
    onSelect(toStart(Math.min(from, to)), toStart(Math.max(from, to) + 1))
  }
  return {
    active,
    contains(at: number) {
      if (anchor !== active) return at >= Math.min(anchor, active) && at <= Math.max(anchor, active)
      return selected && toStart(at) >= selected.fromMs && toStart(at) < selected.toMs
    },
    onKeyDown(event: KeyboardEvent) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (step !== undefined) moveTo(findFilled(bars, active, step), event.shiftKey)
      else if (event.key === 'Enter' || event.key === ' ') select(anchor, active)
      else return
      event.preventDefault()
    },
    toHandlers: (at: number) => ({
      onPointerDown: ({ shiftKey }: PointerEvent) => moveTo(at, shiftKey),
      onPointerEnter: ({ buttons }: PointerEvent) => buttons === 1 && moveTo(at, true),
      onPointerUp: () => select(anchor, at),
      // Assistive technology clicks without a pointer.
      onClick: ({ detail }: MouseEvent) => detail === 0 && select(at, at),
    }),
  }
}

/** The responses of a bar, stacked, with a mark above them if they violate rules. */
function Column({ bar: { counts, violations = [] }, peak }: { bar: TimeBar; peak: number }) {
  const severity = violations.includes('error') ? 'error' : 'warning'
  return (
    <>
      {violations.length > 0 && <span class={`violation ${severity}`} />}
      <span class="column" style={{ height: `${(countResponses(counts) / peak) * 100}%` }}>
        {responseKinds.map(
          ({ field, color }) =>
            counts[field] > 0 && (
              <span key={field} class={`kind-${color}`} style={{ flexGrow: counts[field] }} />
            ),
        )}
      </span>
    </>
  )
}

/** Returns the next bar with responses in a direction; the same one if there is none. */
function findFilled(bars: readonly TimeBar[], from: number, step: number): number {
  let at = from + step
  for (let bar = bars[at]; bar && countResponses(bar.counts) === 0; bar = bars[at]) at += step
  return bars[at] ? at : from
}

/** States what a bar shows: `2026-01-31 09:00:00 to 09:00:01: 2 succeeded, 1 429`. */
function describeBar({ startMs, counts, violations = [] }: TimeBar, stepMs: number): string {
  const parts = responseKinds.flatMap(({ field, name }) =>
    counts[field] === 0 ? [] : [`${counts[field].toLocaleString('en')} ${name}`],
  )
  if (violations.length > 0) parts.push(formatCount(violations.length, 'violations'))
  return `${formatInterval(startMs, stepMs)}: ${parts.join(', ') || 'none'}`
}

/** Formats an interval in UTC; the date of its end only if it is another one. */
export function formatInterval(startMs: number, lengthMs: number): string {
  const [start, end] = [startMs, startMs + lengthMs].map((ms) => formatStart(ms, lengthMs))
  return `${start} to ${end?.slice(0, 10) === start?.slice(0, 10) ? end?.slice(11) : end}`
}

/** Formats the start of an interval; with milliseconds if the intervals are that short. */
function formatStart(ms: number, lengthMs: number): string {
  const text = formatTimestamp(ms)
  return lengthMs % 1_000 === 0 ? text : `${text}.${String(ms % 1_000).padStart(3, '0')}`
}
