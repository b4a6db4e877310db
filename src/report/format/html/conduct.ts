import type { Evidence, Report, RuleResult } from '../../report.js'
import { type Markup, type MarkupValue, markup } from '../markup.js'
import { describeConduct, describeEvidence, describeOmitted, sortRules } from '../words.js'
import { toTime } from './time.js'

/** Creates the section on the rules: broken ones with their evidence, then a table of the others. */
export function toConductSection(report: Report): Markup {
  const rules = sortRules(report.conduct)
  const broken = rules.filter(({ outcome }) => outcome === 'broken')
  const others = rules.filter(({ outcome }) => outcome !== 'broken')
  return markup`<section id="conduct" aria-labelledby="conduct-title">
<h2 id="conduct-title">Conduct</h2>
<p>${describeConduct(report)}</p>
${broken.map(toBroken)}
${others.length === 0 ? '' : toTable(others)}
</section>`
}

function toBroken(rule: RuleResult): Markup {
  const { id, title, severity, examines, finding, evidence, fix, source } = rule
  return markup`<article class="rule ${severity}">
<h3><span class="badge ${severity}">${severity}</span> ${title} <code>${id}</code></h3>
<p>${examines}</p>
<p class="finding">${finding}</p>
${evidence.length === 0 ? '' : toEvidence(rule)}
<dl><div><dt>Fix</dt><dd>${fix}</dd></div><div><dt>Source</dt><dd>${source}</dd></div></dl>
</article>
`
}

function toEvidence(rule: RuleResult): Markup {
  const { id, evidence } = rule
  const omitted = describeOmitted(rule)
  const rows: MarkupValue[] = evidence.map(
    (each) =>
      markup`<tr><th scope="row">#${each.request}</th><td>${toTime(each.at)}</td><td>${describeEvidence(each)}</td></tr>\n`,
  )
  const note = omitted ? markup`<p class="note">${omitted}</p>` : ''
  return markup`<table class="evidence">
<caption class="hidden">Evidence of ${id}</caption>
<thead><tr><th scope="col">Request</th><th scope="col">Time</th><th scope="col">Observation</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
${note}`
}

function toTable(rules: readonly RuleResult[]): Markup {
  const rows = rules.map(
    ({ id, title, outcome, finding, evidence }) => markup`<tr>
<th scope="row">${title} <code>${id}</code></th>
<td><span class="badge ${outcome}">${outcome}</span></td>
<td>${finding}${toExamples(evidence)}</td>
</tr>
`,
  )
  return markup`<table class="rules">
<caption class="hidden">Rules that are kept or unseen</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Outcome</th><th scope="col">Finding</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}

function toExamples(evidence: readonly Evidence[]): MarkupValue {
  if (evidence.length === 0) return ''
  const ids = evidence.map(({ request }) => `#${request}`).join(', ')
  return markup`<div class="note">such as ${ids}</div>`
}
