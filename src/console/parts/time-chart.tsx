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

/** Selects the time from the start of one bar to the end of another. */
type Select = (fromMs: number, toMs: number) => void

interface TimeChartProps {
  /** Oldest first, without a gap. */
  readonly bars: readonly TimeBar[]
  /** Length of an interval in milliseconds. */
  readonly stepMs: number
  /** What happens when a bar is selected, in one sentence. */
  readonly hint: string
  /** The time that is selected. */
  readonly selected?: { readonly fromMs: number; readonly toMs: number } | undefined
  readonly onSelect: Select
}

/** Numbers of responses over time, by their kind: stacked bars, of which some can be selected. */
export function TimeChart({ hint, ...props }: TimeChartProps) {
  const { bars, stepMs } = props
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
      <BarTable bars={bars} stepMs={stepMs} />
    </figure>
  )
}

/** The bars as options of a list, so that the focus stays although bars are replaced. */
function Bars(props: Omit<TimeChartProps, 'hint'> & { peak: number }) {
  const { bars, stepMs, peak } = props
  const id = useId()
  const { active, contains, onKeyDown, toHandlers } = useRange(props)
  return (
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
          <Violation severities={bar.violations} />
          <Column counts={bar.counts} peak={peak} />
        </span>
      ))}
    </div>
  )
}

function Violation({ severities = [] }: { severities: TimeBar['violations'] }) {
  if (severities.length === 0) return null
  return <span class={`violation ${severities.includes('error') ? 'error' : 'warning'}`} />
}

function Column({ counts, peak }: { counts: TimelineInterval; peak: number }) {
  return (
    <span class="column" style={{ height: `${(countResponses(counts) / peak) * 100}%` }}>
      {responseKinds.map(
        ({ field, color }) =>
          counts[field] > 0 && (
            <span key={field} class={`kind-${color}`} style={{ flexGrow: counts[field] }} />
          ),
      )}
    </span>
  )
}

/** The selection of bars with the pointer and with the keyboard. */
function useRange({ bars, stepMs, selected, onSelect }: Omit<TimeChartProps, 'hint'>) {
  const last = bars.length - 1
  const [range, setRange] = useState({ anchor: last, active: last })
  const anchor = Math.min(range.anchor, last)
  const active = Math.min(range.active, last)
  const moveTo = (at: number, isExtended: boolean) =>
    setRange({ anchor: isExtended ? anchor : at, active: at })
  const select = (one: number, other: number) => {
    const from = bars[Math.min(one, other)]?.startMs
    const to = bars[Math.max(one, other)]?.startMs
    moveTo(other, false)
    if (from !== undefined && to !== undefined) onSelect(from, to + stepMs)
  }
  return {
    active,
    contains(at: number) {
      if (anchor !== active) return at >= Math.min(anchor, active) && at <= Math.max(anchor, active)
      const startMs = bars[at]?.startMs ?? 0
      return selected !== undefined && startMs >= selected.fromMs && startMs < selected.toMs
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
      onPointerEnter({ buttons }: PointerEvent) {
        if (buttons === 1) moveTo(at, true)
      },
      onPointerUp: () => select(anchor, at),
      onClick({ detail }: MouseEvent) {
        // Assistive technology clicks without a pointer.
        if (detail === 0) select(at, at)
      },
    }),
  }
}

/** Returns the next bar with responses in a direction; the same one if there is none. */
function findFilled(bars: readonly TimeBar[], from: number, step: number): number {
  let at = from + step
  for (let bar = bars[at]; bar && countResponses(bar.counts) === 0; bar = bars[at]) at += step
  return bars[at] ? at : from
}

/** The same numbers as text. */
function BarTable({ bars, stepMs }: Pick<TimeChartProps, 'bars' | 'stepMs'>) {
  const [isOpen, setOpen] = useState(false)
  const hasViolations = bars.some(({ violations }) => violations)
  const filled = bars.filter(({ counts }) => countResponses(counts) > 0)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Timeline as a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
        <div class="scroll" tabIndex={0}>
          <table aria-label="Timeline">
            <thead>
              <tr>
                <th scope="col">Time (UTC)</th>
                {responseKinds.map(({ field, name }) => (
                  <th key={field} scope="col">
                    {name}
                  </th>
                ))}
                {hasViolations && <th scope="col">violations</th>}
              </tr>
            </thead>
            <tbody>
              {filled.map(({ startMs, counts, violations }) => (
                <tr key={startMs}>
                  <th scope="row">{formatInterval(startMs, stepMs)}</th>
                  {responseKinds.map(({ field }) => (
                    <td key={field}>{counts[field].toLocaleString('en')}</td>
                  ))}
                  {violations && <td>{violations.length}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
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
