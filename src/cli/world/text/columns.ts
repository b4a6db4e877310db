import type { Paint } from '../../colour.js'
import { toPlainLine } from '../../plain-line.js'

/** Lines of a name and a value, with the values below each other. */
export function toPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  paint: Paint,
): string {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs
    .map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${toPlainLine(value)}\n`)
    .join('')
}

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  /** Numbers stand at the right. */
  readonly isNumber?: true
}

/** Rows below a line of titles; without any row, a line that says so. */
export function toTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
  things: string,
): string {
  if (rows.length === 0) return `no ${things}\n`
  const cells = rows.map((row) => columns.map(({ cell }) => toPlainLine(cell(row))))
  const widths = columns.map(({ title }, at) =>
    cells.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), title.length),
  )
  const align = (line: readonly string[]) =>
    line
      .map((text, at) =>
        columns[at]?.isNumber ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const titles = align(columns.map(({ title }) => title))
  return [paint('bold', titles), ...cells.map(align)].map((line) => `${line}\n`).join('')
}
