import { countResponses, responseKinds } from '../../report/format/timeline.js'
import type { Report, Timeline, TimelineInterval } from '../../report/report.js'
import { Card } from '../parts/card.js'
import { formatDuration, formatTimestamp } from '../parts/time.js'

/** A bar is at most this share of the width, so that a few intervals do not look like many. */
const minimumIntervals = 30

/** The responses over time, as a picture and as a table. */
export function TimelineCard({ report: { timeline } }: { report: Report }) {
  const { startAt, intervals } = timeline
  return (
    <Card title="Responses over time">
      {startAt === null || intervals.length === 0 ? (
        <p class="hint">There are no responses yet.</p>
      ) : (
        <figure class="report-timeline">
          <Bars timeline={timeline} startMs={Date.parse(startAt)} />
          <Legend timeline={timeline} />
          <IntervalTable timeline={timeline} startMs={Date.parse(startAt)} />
        </figure>
      )}
    </Card>
  )
}

function Bars({ timeline, startMs }: { timeline: Timeline; startMs: number }) {
  const { intervals, intervalMs } = timeline
  const peak = Math.max(1, ...intervals.map(countResponses))
  const length = Math.max(minimumIntervals, intervals.length)
  const step = describeLength(intervalMs)
  return (
    <>
      <p class="hint">
        Most: {peak.toLocaleString('en')} in {step}
      </p>
      <svg
        viewBox={`0 0 ${length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bar chart of the responses in each ${step}, at most ${peak}. The table below has the numbers.`}
      >
        {intervals.map((interval, at) => (
          <Bar
            key={at}
            interval={interval}
            at={at}
            peak={peak}
            title={`${describeStart(startMs + at * intervalMs, intervalMs)}: ${toSummary(interval)}`}
          />
        ))}
      </svg>
      <p class="hint report-axis">
        <span>{describeStart(startMs, intervalMs)}</span>
        <span>{describeStart(startMs + length * intervalMs, intervalMs)} UTC</span>
      </p>
    </>
  )
}

function Bar(props: { interval: TimelineInterval; at: number; peak: number; title: string }) {
  const { interval, at, peak, title } = props
  let top = 100
  return (
    <g>
      <title>{title}</title>
      {responseKinds.map(({ field, color }) => {
        const height = (100 * interval[field]) / peak
        top -= height
        return (
          height > 0 && (
            <rect
              key={field}
              class={`kind-${color}`}
              x={at + 0.1}
              y={top}
              width={0.8}
              height={height}
            />
          )
        )
      })}
    </g>
  )
}

/** The colours, with the total of each. */
function Legend({ timeline: { intervals } }: { timeline: Timeline }) {
  return (
    <ul class="report-legend" aria-label="Totals">
      {responseKinds.map(({ field, name, color }) => (
        <li key={field}>
          <svg viewBox="0 0 1 1" aria-hidden="true">
            <rect class={`kind-${color}`} width="1" height="1" />
          </svg>
          <b>{intervals.reduce((sum, each) => sum + each[field], 0).toLocaleString('en')}</b> {name}
        </li>
      ))}
    </ul>
  )
}

function IntervalTable({ timeline, startMs }: { timeline: Timeline; startMs: number }) {
  const { intervals, intervalMs } = timeline
  return (
    <details class="report-table">
      <summary>The timeline as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <div class="table-frame" tabIndex={0}>
        <table>
          <caption class="hint">Responses in each {describeLength(intervalMs)}</caption>
          <thead>
            <tr>
              <th scope="col">From (UTC)</th>
              {responseKinds.map(({ field, name }) => (
                <th key={field} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {intervals.map(
              (interval, at) =>
                countResponses(interval) > 0 && (
                  <tr key={at}>
                    <th scope="row">{describeStart(startMs + at * intervalMs, intervalMs)}</th>
                    {responseKinds.map(({ field }) => (
                      <td key={field}>{interval[field].toLocaleString('en')}</td>
                    ))}
                  </tr>
                ),
            )}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function toSummary(interval: TimelineInterval): string {
  const parts = responseKinds.flatMap(({ field, name }) =>
    interval[field] === 0 ? [] : [`${interval[field].toLocaleString('en')} ${name}`],
  )
  return parts.join(', ') || 'none'
}

function describeLength(intervalMs: number): string {
  return intervalMs < 1_000 ? `${intervalMs} ms` : formatDuration(intervalMs)
}

/** Formats the start of an interval; with milliseconds if the intervals are that short. */
function describeStart(ms: number, intervalMs: number): string {
  const text = formatTimestamp(ms)
  return intervalMs < 1_000 ? `${text}.${String(ms % 1_000).padStart(3, '0')}` : text
}
