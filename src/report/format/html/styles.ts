import { Markup } from '../markup.js'
import tokens from './tokens.json' with { type: 'json' }

/** The colours and fonts of the console. Print uses the light ones. */
const properties = `:root { color-scheme: light; ${tokens.light} }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; ${tokens.dark} }
}
`

const rules = `*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--text);
  font: 0.9375rem / 1.5 var(--sans); overflow-wrap: anywhere; }
header, main, footer { max-width: 64rem; margin: 0 auto; }
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.3; }
h2 { font-size: 1.125rem; line-height: 1.3; }
h3 { font-size: 0.9375rem; }
a { color: var(--accent-text); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { color: var(--text-soft); font: 0.8125rem var(--mono); }
ul { list-style: none; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding-block: 1rem; }
section, .overview li { padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem;
  background: var(--surface); }
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
footer, .note, .axis { color: var(--text-soft); font-size: 0.8125rem; }
dt { color: var(--text-soft); }
.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; padding-top: 0.5rem; }
.facts dt { font-size: 0.8125rem; }
.overview { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
  gap: 1rem; }
.overview li { display: grid; gap: 0.25rem; }
.overview a { justify-self: start; }
.overview strong { font-size: 1.5rem; line-height: 1.3; }
.overview span { color: var(--text-soft); font-size: 0.8125rem; }
.overview .error { color: var(--bad); }
.overview .warning { color: var(--warn); }
.overview .kept { color: var(--good); }
.failure { padding: 0.5rem 1rem; border-radius: 0.5rem; background: var(--bad-soft);
  color: var(--bad); }
.badge { padding: 0.0625rem 0.5rem; border-radius: 1rem; background: var(--sunken);
  color: var(--text-soft); font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge.kept { background: var(--good-soft); color: var(--good); }
.badge.warning { background: var(--warn-soft); color: var(--warn); }
.badge.error { background: var(--bad-soft); color: var(--bad); }
.rule { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; padding: 0.75rem;
  border: 1px solid var(--line); border-radius: 0.5rem; border-left: 4px solid var(--warn); }
.rule.error { border-left-color: var(--bad); }
.rule .finding { font-weight: 600; }
.rule dl { display: grid; gap: 0.25rem; }
.rule dl div { display: grid; grid-template-columns: 4rem minmax(0, 1fr); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding-bottom: 0.25rem; color: var(--text-soft); text-align: start; }
th, td { padding: 0.375rem 0.5rem; border-bottom: 1px solid var(--line); text-align: start;
  vertical-align: top; }
thead th { color: var(--text-soft); font-size: 0.8125rem; font-weight: 600;
  overflow-wrap: normal; }
tbody th { font-weight: 600; }
.number { text-align: end; }
.rules code { display: block; }
.rules th:nth-child(1) { width: 40%; }
.rules th:nth-child(2) { width: 5.5rem; }
.evidence th:nth-child(1) { width: 5rem; }
.evidence th:nth-child(2) { width: 16rem; }
.steps thead th:nth-child(1) { width: 38%; }
.steps tbody [scope="row"] { font-weight: 400; }
.totals, .forecasts { max-width: 36rem; }
.totals .number { width: 28%; }
.forecasts th:nth-child(1) { width: 6.5rem; }
.forecasts th.number { width: 5.5rem; }
svg { display: block; width: 100%; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.swatch { display: inline-block; width: 0.875rem; height: 0.875rem; vertical-align: -0.125rem; }
.timeline { height: 9rem; border-bottom: 1px solid var(--line-strong);
  background: var(--sunken); }
.axis { display: flex; justify-content: space-between; gap: 1rem; }
.axis span:last-child:not(:first-child) { text-align: end; }
.grids { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 1.25rem; }
figcaption { font-weight: 600; }
.plans { max-width: 26rem; }
.good { fill: var(--good); }
.warn { fill: var(--warn); }
.limited { fill: var(--limited); }
.bad { fill: var(--bad); }
.soft { fill: var(--text-soft); }
.met { fill: var(--accent); }
.missing { fill: none; stroke: var(--line-strong); stroke-dasharray: 3 2; }
.label, .count { fill: var(--text); font: 12px var(--sans); }
.grids .label { font-size: 11px; }
.count { fill: var(--on-accent); font-weight: 600; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
@media (max-width: 30rem) {
  body { padding: 0.5rem; }
  section { padding: 0.75rem; }
  th, td { padding-inline: 0.25rem; }
  table { font-size: 0.875rem; }
  .evidence th:nth-child(1) { width: 4.25rem; }
  .evidence th:nth-child(2) { width: 6rem; }
  .evidence td:nth-child(2) { font-size: 0.8125rem; }
  .rules th:nth-child(1) { width: 36%; }
  .rules th:nth-child(2) { width: 5.25rem; }
  .forecasts th:nth-child(1) { width: 6rem; }
  .forecasts th.number { width: 4rem; }
}
@media print {
  @page { margin: 15mm; }
  body { padding: 0; background: none; font-size: 10pt; print-color-adjust: exact; }
  section, .overview li { border: 0; padding: 0; }
  #conduct, #coverage, #what-if { break-before: page; }
  h2, h3, caption, thead { break-after: avoid; }
  tr, figure, .rule, .overview { break-inside: avoid; }
  .overview { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  a { color: inherit; text-decoration: none; }
}
`

const content = `${properties}${rules}`

/** The style sheet of the page. */
export const styles = new Markup(`<style>${content}</style>`)

/** Hash of the style sheet for the Content-Security-Policy. A test states the current value. */
export const stylesHash = 'sha256-TfFjwV6faZihEbeUiLDSk9nWGxR7cRgx/LkdYDV5pnE='
