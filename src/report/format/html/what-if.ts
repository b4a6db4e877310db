import { toCount } from '../../../service/validation/message.js'
import type { PlanForecast, Report } from '../../report.js'
import { type Markup, markup } from '../markup.js'
import { describeSmallestPlan, forecastStart } from '../words.js'
import { toTime } from './time.js'

/** Sizes in the picture, in CSS pixels if it has its full width. */
const size = { label: 76, bar: 150, text: 104, row: 26 }

/** Creates the section on the plans: a bar chart of the rejected requests, and a table. */
export function toWhatIfSection(report: Report): Markup {
  const { whatIf, requests } = report
  return markup`<section id="what-if" aria-labelledby="what-if-title">
<h2 id="what-if-title">What if</h2>
<p>The same ${toCount(requests.assessed, 'requests')} under each plan. ${forecastStart} ${describeSmallestPlan(report)}.</p>
${whatIf.length === 0 ? '' : toFigure(whatIf)}
${whatIf.length === 0 ? '' : toTable(whatIf)}
</section>`
}

function toFigure(forecasts: readonly PlanForecast[]): Markup {
  const most = Math.max(1, ...forecasts.map(({ refused }) => refused))
  const width = size.label + size.bar + size.text
  return markup`<figure>
<svg class="plans" viewBox="0 0 ${width} ${forecasts.length * size.row}" role="img" aria-label="Bar chart of the rejected requests under each plan. The table below has the numbers.">
${forecasts.map((forecast, row) => toBar(forecast, row * size.row, most))}</svg>
</figure>`
}

function toBar({ plan, refused }: PlanForecast, y: number, most: number): Markup {
  const width = Math.round((size.bar * refused) / most)
  const color = refused === 0 ? 'good' : 'limited'
  return markup`<text class="label" x="0" y="${y + 17}">${plan}</text>
<rect class="${color}" x="${size.label}" y="${y + 4}" width="${Math.max(2, width)}" height="18" rx="2"/>
<text class="label" x="${size.label + Math.max(2, width) + 6}" y="${y + 17}">${refused} rejected</text>
`
}

function toTable(forecasts: readonly PlanForecast[]): Markup {
  const rows = forecasts.map(
    ({ plan, refused, bans, firstRefusalAt }) => markup`<tr>
<th scope="row">${plan}</th><td class="number">${refused}</td><td class="number">${bans}</td>
<td>${firstRefusalAt === null ? 'none' : toTime(firstRefusalAt)}</td>
</tr>
`,
  )
  return markup`<table class="forecasts">
<caption class="hidden">The same requests under each plan</caption>
<thead><tr><th scope="col">Plan</th><th scope="col" class="number">Rejected</th><th scope="col" class="number">Bans</th><th scope="col">First rejection</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}
