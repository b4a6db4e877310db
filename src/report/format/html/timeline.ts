import { toCount } from '../../../service/validation/message.js'
import type { Report, Timeline, TimelineInterval } from '../../report.js'
import { type Markup, type MarkupValue, markup } from '../markup.js'
import { countResponses, responseKinds } from '../timeline.js'
import { toTime } from './time.js'

/** Minimum number of intervals in the width of the picture, which limits the width of a bar. */
const minimumIntervals = 24

/** Creates the section with the number of responses over time: a picture, and a table of totals. */
export function toTimelineSection(timeline: Timeline, requests: Report['requests']): Markup {
  const { intervals, startAt } = timeline
  const hasPicture = startAt !== null && intervals.length > 0
  return markup`<section id="timeline" aria-labelledby="timeline-title">
<h2 id="timeline-title">Responses over time</h2>
${hasPicture ? toFigure(timeline, startAt) : markup`<p>The key has sent no request.</p>`}
${hasPicture ? toTable(timeline, requests) : ''}
</section>`
}

function toFigure({ intervals, intervalMs }: Timeline, startAt: string): Markup {
  const peak = Math.max(1, ...intervals.map(countResponses))
  const length = Math.max(minimumIntervals, intervals.length)
  const label = `Bar chart of the responses in each ${toDuration(intervalMs)}, at most ${peak}. The table below has the totals.`
  return markup`<figure>
<p class="axis">${toCount(peak, 'responses')} in ${toDuration(intervalMs)}</p>
<svg class="timeline" viewBox="0 0 ${length} 100" preserveAspectRatio="none" role="img" aria-label="${label}">
${intervals.map((interval, at) => toBar(interval, at, peak))}</svg>
<p class="axis"><span>${toTime(startAt)}</span><span>${toEnd(startAt, length * intervalMs)}</span></p>
</figure>`
}

/** Creates the bar of an interval, with one rectangle for each kind of response. */
function toBar(interval: TimelineInterval, at: number, peak: number): MarkupValue {
  let top = 100
  return responseKinds.map(({ field, color }) => {
    const count = interval[field]
    if (count === 0) return ''
    const height = round((100 * count) / peak)
    top = round(top - height)
    return markup`<rect class="${color}" x="${round(at + 0.1)}" y="${top}" width="0.8" height="${height}"/>\n`
  })
}

function toTable({ intervals, intervalMs }: Timeline, { assessed }: Report['requests']): Markup {
  const rows = responseKinds.map(({ field, name, color }) => {
    const counts = intervals.map((interval) => interval[field])
    const total = counts.reduce((sum, count) => sum + count, 0)
    return markup`<tr>
<th scope="row"><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="${color}" width="1" height="1"/></svg> ${toTitle(name)}</th>
<td class="number">${total}</td><td class="number">${Math.max(...counts)}</td>
</tr>
`
  })
  return markup`<table class="totals">
<caption>${toCount(assessed, 'requests')} by response</caption>
<thead><tr><th scope="col">Response</th><th scope="col" class="number">Total</th><th scope="col" class="number">Most in ${toDuration(intervalMs)}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

function toTitle(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function toEnd(startAt: string, lengthMs: number): MarkupValue {
  const startMs = Date.parse(startAt)
  return Number.isNaN(startMs) ? '' : toTime(new Date(startMs + lengthMs).toISOString())
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Formats a duration in its largest whole unit: `5 s`. */
function toDuration(durationMs: number): string {
  const [unit, length] = units.find(([, ms]) => durationMs % ms === 0) ?? ['ms', 1]
  return `${durationMs / length} ${unit}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
