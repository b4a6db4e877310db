// Rows of results, their targets, and their tables.
import { median } from './measure.js'

/**
 * @typedef {object} Target Exactly one of `times`, `more` and `atMost`.
 * @property {string} [reference] Name of the reference for `times` and `more`.
 * @property {number} [times] Maximum ratio to the reference.
 * @property {number} [more] Maximum difference from the reference.
 * @property {number} [atMost] Maximum figure.
 */

/**
 * @typedef {object} Row
 * @property {string} measurement With its unit.
 * @property {string} [node] Version of Node.js, if several were measured.
 * @property {Record<string, number>} figures `new` and `old`.
 * @property {Record<string, number>} references By name.
 * @property {Record<string, number>} ratios Of the new figure to `old` and to each reference.
 * @property {Target[]} targets
 */

/**
 * @typedef {object} SubjectResult
 * @property {Row[]} rows
 * @property {string[]} notes What was not measured, and why.
 */

/**
 * Creates a row with the medians of samples, and of the ratios within each round: a slow phase of the
 * machine changes both figures of a round, and not their ratio.
 *
 * @param {{ measurement: string, node?: string, samples: Record<string, number[]>, targets?: Target[] }} row
 * @returns {Row}
 */
export function toRow({ samples, targets = [], ...rest }) {
  const figures = {}
  const references = {}
  for (const [name, list] of Object.entries(samples)) {
    const measured = list.filter((figure) => Number.isFinite(figure))
    if (measured.length === 0) continue
    const group = name === 'new' || name === 'old' ? figures : references
    group[name] = median(measured)
  }
  return { ...rest, figures, references, ratios: toRatios(samples), targets }
}

function toRatios({ new: measured = [], ...others }) {
  const ratios = {}
  for (const [name, list] of Object.entries(others)) {
    const each = measured.map((figure, round) => figure / list[round]).filter(Number.isFinite)
    if (each.length > 0) ratios[name] = median(each)
  }
  return ratios
}

/** @param {Row[]} rows Returns the number of targets that are missed. */
export function countMissed(rows) {
  return rows
    .flatMap((row) => row.targets.map((target) => isMet(row, target)))
    .filter((met) => met === false).length
}

/** @param {Row[]} rows Returns those that exceed the baseline by more than 10 %. */
export function findWorse(rows) {
  return rows.filter(({ ratios }) => ratios.old > 1.1)
}

/** Formats rows as a table of plain text. */
export function toText(rows) {
  const table = toCells(rows)
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        isText(column, row) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join(
    '\n',
  )
}

/** Formats rows as a Markdown table. */
export function toMarkdown(rows) {
  const [head, ...body] = toCells(rows).map((row) => `| ${row.join(' | ')} |`)
  const rule = head.replaceAll(/[^|]+/g, '---')
  return [head, rule, ...body].join('\n')
}

/** The first column and the last two contain text. */
function isText(column, row) {
  return column === 0 || column >= row.length - 2
}

/** Returns the head and one list of cells per row. Columns without any content are omitted. */
function toCells(rows) {
  const references = [...new Set(rows.flatMap((row) => Object.keys(row.references)))]
  const head = ['measurement', 'Node.js', 'old', 'new', 'new / old', ...references]
  const table = rows.map((row) => [
    row.measurement,
    row.node ?? '',
    format(row.figures.old),
    format(row.figures.new),
    formatRatio(row.ratios.old),
    ...references.map((name) => formatReference(row, name)),
    row.targets.map(describeTarget).join('; '),
    row.targets.map((target) => judge(row, target)).join('; '),
  ])
  const all = [[...head, 'target', 'result'], ...table]
  const used = all[0].map((_, column) => table.some((row) => row[column] !== ''))
  return all.map((row) => row.filter((_, column) => used[column]))
}

function formatReference(row, name) {
  const reference = row.references[name]
  if (reference === undefined) return ''
  const difference = row.targets.find((target) => target.reference === name && 'more' in target)
  const { new: figure } = row.figures
  if (difference && figure !== undefined) {
    const sign = figure < reference ? '-' : '+'
    return `${format(reference)} (${sign}${format(Math.abs(figure - reference))})`
  }
  const ratio = formatRatio(row.ratios[name])
  return ratio === '' ? format(reference) : `${format(reference)} (${ratio})`
}

function formatRatio(ratio) {
  return ratio === undefined ? '' : `${ratio.toFixed(2)} x`
}

/** Formats a figure with at least three digits. */
function format(figure) {
  if (figure === undefined) return ''
  const digits = figure < 1 ? 3 : figure < 10 ? 2 : figure < 100 ? 1 : 0
  return figure.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

function describeTarget({ reference, times, more, atMost }) {
  if (times !== undefined) return `≤ ${times} x ${reference}`
  if (more !== undefined) return `≤ ${reference} + ${more}`
  return `≤ ${atMost}`
}

function judge(row, target) {
  const met = isMet(row, target)
  if (met === undefined) return 'not measured'
  return met ? 'met' : 'missed'
}

/** Returns undefined if the figure or the reference was not measured. */
function isMet({ figures, references, ratios }, { reference, times, more, atMost }) {
  const { new: figure } = figures
  if (figure === undefined) return undefined
  if (reference === undefined) return figure <= atMost
  if (references[reference] === undefined) return undefined
  return times === undefined ? figure <= references[reference] + more : ratios[reference] <= times
}
