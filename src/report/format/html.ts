import type { Report } from '../report.js'
import { findFailures } from '../thresholds.js'
import type { FormatSettings } from './formatter.js'
import { toConductSection } from './html/conduct.js'
import { toCoverageSection } from './html/coverage.js'
import { styles, stylesHash } from './html/styles.js'
import { toTime } from './html/time.js'
import { toTimelineSection } from './html/timeline.js'
import { toWhatIfSection } from './html/what-if.js'
import { type Markup, markup } from './markup.js'
import {
  countRules,
  describeConduct,
  describeCoverage,
  describeKey,
  describeRequests,
  describeSmallestPlan,
  describeUnattributed,
  describeWorld,
  toPercentage,
} from './words.js'

/** Permits only the style sheet of the page, so that nothing in a report can run or load anything. */
const policy = `default-src 'none'; style-src '${stylesHash}'; base-uri 'none'; form-action 'none'`

/** Formats a report as one HTML file without scripts and without requests. */
export function toHtml(report: Report, { thresholds = {} }: FormatSettings = {}): string {
  const { source } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Integration report: ${describeWorld(report)}</title>
${styles}
</head>
<body>
<header>
<h1>Integration report</h1>
${toFacts(report)}
</header>
<main>
${findFailures(report, thresholds).map((text) => markup`<p class="failure">Fails: ${text}</p>\n`)}
${toOverview(report)}
${toTimelineSection(report.timeline, report.requests)}
${toConductSection(report)}
${toCoverageSection(report)}
${toWhatIfSection(report)}
</main>
<footer>Created ${toTime(report.createdAt)}${report.world ? ' on the clock of the world' : ''}.</footer>
</body>
</html>
`
  return source
}

function toFacts(report: Report): Markup {
  const { firstAt, lastAt, unattributed } = report.requests
  const period =
    firstAt && lastAt
      ? markup`<div><dt>Period</dt><dd>${toTime(firstAt)} to ${toTime(lastAt)}</dd></div>`
      : ''
  const others = unattributed
    ? markup`<div><dt>Without</dt><dd>${describeUnattributed(unattributed)}</dd></div>`
    : ''
  return markup`<dl class="facts">
<div><dt>World</dt><dd>${describeWorld(report)}</dd></div>
<div><dt>Key</dt><dd>${describeKey(report)}</dd></div>
<div><dt>Requests</dt><dd>${describeRequests(report)}</dd></div>
${others}
${period}
</dl>`
}

/** The three results side by side. */
function toOverview(report: Report): Markup {
  const { coverage, smallestPlan } = report
  const { state, text } = summarizeConduct(report)
  return markup`<ul class="overview">
<li><a href="#conduct">Conduct</a>
<strong class="${state}">${text}</strong>
<span>${describeConduct(report)}</span></li>
<li><a href="#coverage">Coverage</a>
<strong>${toPercentage(coverage.met, coverage.possible)} %</strong>
<span>${describeCoverage(report)}</span></li>
<li><a href="#what-if">Plan</a>
<strong>${smallestPlan ?? 'none'}</strong>
<span>${describeSmallestPlan(report)}</span></li>
</ul>`
}

function summarizeConduct(report: Report): { readonly state: string; readonly text: string } {
  const { error, warning, kept } = countRules(report)
  const text = `${error + warning} broken`
  if (error > 0) return { state: 'error', text }
  if (warning > 0) return { state: 'warning', text }
  return kept > 0 ? { state: 'kept', text: 'kept' } : { state: 'unseen', text: 'unseen' }
}
