import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatCount } from '../parts/count.js'
import { formatTimestamp } from '../parts/time.js'
import type { JournalLog } from './journal-panel.js'
import { toSecond } from './text-and-time.js'
import {
  describeBar,
  statusClasses,
  type Timeline,
  type TimelineBar,
  toTimeline,
} from './timeline.js'

/** The entries that match, over the time of the world. A bar, or several, narrow the filter. */
export function TimelineChart({ log }: { log: JournalLog }) {
  const timeline = useMemo(() => toTimeline(log.matches), [log.matches])
  if (timeline.bars.length === 0) return null
  const select = (from: TimelineBar, to: TimelineBar) =>
    log.setFilter({
      ...log.filter,
      from: toSecond(from.startMs),
      to: toSecond(to.startMs + timeline.stepMs - 1),
    })
  return (
    <figure class="timeline">
      <Bars timeline={timeline} onSelect={select} />
      <TimeAxis timeline={timeline} />
      <figcaption class="timeline-legend">
        {statusClasses.map((name) => (
          <span key={name}>
            <span class={`key class-${name}`} /> {name}
          </span>
        ))}
        <span class="hint grow">
          Select a bar to see its requests; with Shift or by dragging, several.
        </span>
      </figcaption>
      <TimelineTable timeline={timeline} />
    </figure>
  )
}

type Select = (from: TimelineBar, to: TimelineBar) => void

function Bars({ timeline, onSelect }: { timeline: Timeline; onSelect: Select }) {
  const { bars, stepMs, highest } = timeline
  const range = useRange(timeline, onSelect)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div
      ref={range.group}
      class="bars"
      role="group"
      aria-label={describeTimeline(timeline)}
      onKeyDown={range.onKeyDown}
      onPointerUp={range.onPointerUp}
      onPointerLeave={range.onPointerLeave}
    >
      {bars.map((bar, at) =>
        bar.total === 0 ? (
          <span key={bar.startMs} class="bar" data-at={at} />
        ) : (
          <button
            key={bar.startMs}
            type="button"
            class="bar"
            data-at={at}
            tabIndex={at === range.focused ? 0 : -1}
            aria-label={`${toInterval(bar, stepMs)}: ${describeBar(bar)}`}
            title={`${toInterval(bar, stepMs)}\n${describeBar(bar)}`}
            data-selected={range.contains(at) ? '' : undefined}
            onFocus={() => range.onFocus(at)}
            onClick={() => range.onClick(at)}
            onPointerEnter={(event) => range.onPointerEnter(at, event)}
            onPointerDown={(event) => range.onPointerDown(at, event)}
          >
            <Column bar={bar} highest={highest} />
          </button>
        ),
      )}
    </div>
  )
}

function Column({ bar, highest }: { bar: TimelineBar; highest: number }) {
  return (
    <span class="column" style={{ height: `${(bar.total / highest) * 100}%` }}>
      {statusClasses.map(
        (name) =>
          bar.counts[name] > 0 && (
            <span key={name} class={`class-${name}`} style={{ flexGrow: bar.counts[name] }} />
          ),
      )}
    </span>
  )
}

/** The selection of bars with the pointer and with the keyboard. */
function useRange({ bars }: Timeline, onSelect: Select) {
  const group = useRef<HTMLDivElement>(null)
  const [focusedAt, setFocused] = useState<number>()
  /** The bar at which a selection with Shift or by dragging began. */
  const [anchor, setAnchor] = useState<number>()
  const filled = bars.flatMap(({ total }, at) => (total > 0 ? [at] : []))
  const focused = filled.includes(focusedAt ?? -1) ? (focusedAt ?? 0) : (filled.at(-1) ?? 0)
  const apply = (one: number, other: number) => {
    const [from, to] = [bars[Math.min(one, other)], bars[Math.max(one, other)]]
    setAnchor(undefined)
    setFocused(undefined)
    if (from && to) onSelect(from, to)
  }
  useKeptFocus(group, bars)
  return {
    group,
    focused,
    contains: (at: number) =>
      anchor !== undefined && at >= Math.min(anchor, focused) && at <= Math.max(anchor, focused),
    onFocus: setFocused,
    onClick: (at: number) => apply(anchor ?? at, at),
    onPointerDown: (at: number, { shiftKey }: PointerEvent) =>
      setAnchor(shiftKey ? (anchor ?? focused) : at),
    onPointerEnter(at: number, { buttons }: PointerEvent) {
      if (buttons === 1 && anchor !== undefined) setFocused(at)
    },
    onPointerLeave: () => setAnchor(undefined),
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-at]')
      const at = Number(under?.dataset.at ?? -1)
      // On the same bar, a click follows.
      if (anchor !== undefined && at >= 0 && at !== anchor) apply(anchor, at)
    },
    onKeyDown(event: KeyboardEvent) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0
      const next = filled[filled.indexOf(focused) + step]
      if (event.key === 'Escape') setAnchor(undefined)
      if (step === 0 || next === undefined) return
      event.preventDefault()
      setAnchor(event.shiftKey ? (anchor ?? focused) : undefined)
      setFocused(next)
      group.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus()
    },
  }
}

/** Focuses the current bar again if the one that had the focus was replaced. */
function useKeptFocus(group: { current: HTMLElement | null }, bars: readonly TimelineBar[]): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const { current } = group
    if (hadFocus.current && document.activeElement === document.body) {
      current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    }
    const remember = () => {
      hadFocus.current = current?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [group, bars])
}

function TimeAxis({ timeline: { bars, stepMs } }: { timeline: Timeline }) {
  const [first] = bars
  const last = bars.at(-1)
  if (!first || !last) return null
  return (
    <p class="hint time-axis">
      <span>{formatTimestamp(first.startMs)}</span>
      <span>{formatTimestamp(last.startMs + stepMs)} UTC</span>
    </p>
  )
}

/** The same as text. */
function TimelineTable({ timeline: { bars, stepMs } }: { timeline: Timeline }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="timeline-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Timeline as a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
        <div class="table-frame" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time (UTC)</th>
                {statusClasses.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ total }) => total > 0)
                .map((bar) => (
                  <tr key={bar.startMs}>
                    <th scope="row">{toInterval(bar, stepMs)}</th>
                    {statusClasses.map((name) => (
                      <td key={name}>{bar.counts[name]}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

function describeTimeline({ bars, stepMs }: Timeline): string {
  const total = bars.reduce((sum, bar) => sum + bar.total, 0)
  const [first] = bars
  const last = bars.at(-1)
  const requests = formatCount(total, 'requests')
  const period =
    first && last
      ? `${formatTimestamp(first.startMs)} to ${formatTimestamp(last.startMs + stepMs)}`
      : ''
  return `Timeline of ${requests}, ${period} UTC. The arrow keys move between bars, with Shift they select several, and Enter shows their requests.`
}

function toInterval({ startMs }: TimelineBar, stepMs: number): string {
  const [start, end] = [formatTimestamp(startMs), formatTimestamp(startMs + stepMs)]
  return `${start} to ${end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end}`
}
