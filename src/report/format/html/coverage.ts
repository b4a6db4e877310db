import type { CoverageCell, LimiterState, Report } from '../../report.js'
import { groupByOperation, groupMissing, type OperationCells } from '../coverage.js'
import { type Markup, type MarkupValue, markup } from '../markup.js'
import { describeCoverage } from '../words.js'

const states = ['fresh', 'last', 'exhausted', 'banned'] as const satisfies readonly LimiterState[]

/** Sizes in the pictures, in CSS pixels if a picture has its full width. */
const size = { label: 34, column: 58, row: 22, gap: 3 }

/** Creates the section on coverage: a picture for each operation, and a table of what is missing. */
export function toCoverageSection(report: Report): Markup {
  const { cells } = report.coverage
  const missing = groupMissing(cells)
  return markup`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<p>The client has met ${describeCoverage(report)} of operation, status and state of the rate limiter.</p>
<p class="note"><svg class="swatch" viewBox="0 0 14 14" aria-hidden="true"><rect class="met" x="1" y="1" width="12" height="12" rx="2"/></svg> met, with the number of responses
<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true"><rect class="missing" x="1" y="1" width="12" height="12" rx="2"/></svg> missing</p>
<div class="grids">
${groupByOperation(cells).map(toFigure)}</div>
${missing.length === 0 ? '' : toTable(missing)}
</section>`
}

function toFigure({ name, cells }: OperationCells): Markup {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b)
  const width = size.label + states.length * size.column
  const height = size.row * (statuses.length + 1)
  const met = cells.filter(({ count }) => count > 0)
  const details = met.map(({ status, limiter, count }) => `${status} ${limiter}: ${count}`)
  return markup`<figure>
<figcaption>${name} <span class="note">${met.length} of ${cells.length}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}: ${met.length} of ${cells.length} combinations met">
<desc>${details.length === 0 ? 'None met.' : `Responses: ${details.join(', ')}.`}</desc>
${states.map(toHeader)}${statuses.map((status, row) => toRow(cells, status, row + 1))}</svg>
</figure>
`
}

function toHeader(state: LimiterState, column: number): Markup {
  const x = size.label + (column + 0.5) * size.column
  return markup`<text class="label" x="${x}" y="14" text-anchor="middle">${state}</text>\n`
}

function toRow(cells: readonly CoverageCell[], status: number, row: number): MarkupValue {
  const y = row * size.row
  const ofStatus = cells.filter((cell) => cell.status === status)
  return [
    markup`<text class="label" x="0" y="${y + 14}">${status}</text>\n`,
    ofStatus.map((cell) => toCell(cell, y)),
  ]
}

function toCell({ limiter, count }: CoverageCell, y: number): MarkupValue {
  const x = size.label + states.indexOf(limiter) * size.column
  const width = size.column - size.gap
  const height = size.row - size.gap
  const box = markup`<rect class="${count > 0 ? 'met' : 'missing'}" x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="3"/>\n`
  if (count === 0) return box
  return [
    box,
    markup`<text class="count" x="${x + width / 2}" y="${y + 13.5}" text-anchor="middle">${toShort(count)}</text>\n`,
  ]
}

/** Formats a count with at most four characters: `999`, `12k`. */
function toShort(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${Math.floor(count / 1_000)}k` : `${Math.floor(count / 1_000_000)}M`
}

function toTable(missing: ReturnType<typeof groupMissing>): Markup {
  const rows = missing.map(
    ({ howTo, count, combinations }) => markup`<tr>
<th scope="row">${howTo}</th><td class="number">${count}</td>
<td><ul>${combinations.map((text) => markup`<li>${text}</li>`)}</ul></td>
</tr>
`,
  )
  return markup`<table class="steps">
<caption>Steps that produce the missing combinations</caption>
<thead><tr><th scope="col">Step</th><th scope="col" class="number">Adds</th><th scope="col">Combinations</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`
}
