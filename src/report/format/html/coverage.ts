import type { CoverageCell, LimiterState, Report } from '../../report.js'
import { groupByOperation, groupMissing } from '../coverage.js'
import { type Markup, type MarkupValue, markup } from '../markup.js'
import { describeCoverage } from '../words.js'

const states = ['fresh', 'last', 'exhausted', 'banned'] as const satisfies readonly LimiterState[]

/** Sizes in the pictures, in CSS pixels if a picture has its full width. */
const size = { label: 64, column: 54, row: 22, gap: 3 }

/** Creates the section on coverage: a picture for each operation, and the missing combinations. */
export function toCoverageSection(report: Report): Markup {
  const { cells, met, possible } = report.coverage
  return markup`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<p>The client has met ${describeCoverage(report)} of operation, status and state of the rate limiter.</p>
${toLegend(cells)}
<div class="grids">
${groupByOperation(cells).map(toFigure)}</div>
${met === possible ? '' : toTable(cells)}
</section>`
}

function toLegend(cells: readonly CoverageCell[]): Markup {
  const hasSunset = cells.some(({ sunset }) => sunset !== null)
  return markup`<p class="note legend">
<span>${toSwatch('met')} met, with the number of responses</span>
<span>${toSwatch('missing')} missing</span>
${hasSunset ? markup`<span>before, after: the sunset of the operation</span>` : ''}
</p>`
}

function toSwatch(name: 'met' | 'missing'): Markup {
  return markup`<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true"><rect class="${name}" x="1" y="1" width="12" height="12" rx="2"/></svg>`
}

type Group = ReturnType<typeof groupByOperation>[number]

function toFigure([operation, cells]: Group): Markup {
  const rows = [...new Set(cells.map(toLabel))]
  const width = size.label + states.length * size.column
  const height = size.row * (rows.length + 1)
  const met = cells.filter(({ count }) => count > 0)
  const details = met.map((cell) => `${toLabel(cell)} ${cell.limiter}: ${cell.count}`)
  return markup`<figure>
<figcaption>${operation} <span class="note">${met.length} of ${cells.length}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${operation}: ${met.length} of ${cells.length} combinations met">
<desc>${details.length === 0 ? 'None met.' : `Responses: ${details.join(', ')}.`}</desc>
${states.map(toHeader)}${rows.map((label, row) => toRow(cells, label, (row + 1) * size.row))}</svg>
</figure>
`
}

/** Returns the label of the row of a combination: `200 before`, which means before the sunset. */
function toLabel({ status, sunset }: CoverageCell): string {
  return sunset ? `${status} ${sunset}` : String(status)
}

function toHeader(state: LimiterState, column: number): Markup {
  const x = size.label + (column + 0.5) * size.column
  return markup`<text class="label" x="${x}" y="14" text-anchor="middle">${state}</text>\n`
}

function toRow(cells: readonly CoverageCell[], label: string, y: number): MarkupValue {
  return [
    markup`<text class="label" x="0" y="${y + 14}">${label}</text>\n`,
    cells.filter((cell) => toLabel(cell) === label).map((cell) => toCell(cell, y)),
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

/** Creates a table of missing combinations, with a group of rows for each operation. */
function toTable(cells: readonly CoverageCell[]): Markup {
  const groups = groupByOperation(cells).map(([operation, ofOperation]) => {
    const rows = groupMissing(ofOperation).map(
      ({ combinations, howTo }) =>
        markup`<tr><th scope="row">${combinations}</th><td>${howTo}</td></tr>\n`,
    )
    return rows.length === 0
      ? ''
      : markup`<tbody>
<tr><th scope="rowgroup" colspan="2">${operation}</th></tr>
${rows}</tbody>
`
  })
  return markup`<table class="steps">
<caption>Missing combinations</caption>
<thead><tr><th scope="col">Combination</th><th scope="col">How to produce it</th></tr></thead>
${groups}</table>`
}
