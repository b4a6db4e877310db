import { toPlainLine } from '../../service/validation/message.js'
import type { Paint } from '../terminal.js'

/** Formats lines of a name and a value, with aligned values. */
export function toPairs(
  pairs: readonly (readonly [name: string, value: string])[],
  paint: Paint,
): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length))
  return pairs
    .map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${toPlainLine(value)}\n`)
    .join('')
}

type Column = readonly [field: string, title: string]
type Row = Readonly<Record<string, unknown>>

/** Columns of the tables that do not show every field, by the name of the group. */
const columnsByGroup: ReadonlyMap<string, readonly Column[]> = new Map([
  [
    'pets',
    [
      ['petId', 'PETID'],
      ['quantity', 'QUANTITY'],
      ['status', 'STATUS'],
      ['category', 'CATEGORY'],
      ['name', 'NAME'],
    ],
  ],
  [
    'orders',
    [
      ['id', 'ID'],
      ['petId', 'PETID'],
      ['quantity', 'QUANTITY'],
      ['status', 'STATUS'],
      ['shipDate', 'SHIP DATE'],
      ['complete', 'COMPLETE'],
    ],
  ],
  [
    'messages',
    [
      ['id', 'ID'],
      ['createdAt', 'QUEUED AT'],
      ['message', 'MESSAGE'],
    ],
  ],
  [
    'scenarios',
    [
      ['name', 'NAME'],
      ['source', 'FROM'],
      ['description', 'DESCRIPTION'],
    ],
  ],
])

/**
 * Formats the result of a control operation. A list becomes a table. A record becomes a table with
 * one row if its group has columns, otherwise lines of name and value.
 *
 * @param group The group of the command, such as `pets`.
 */
export function toResultText(result: unknown, group: string, paint: Paint): string {
  if (result === undefined) return 'done\n'
  if (Array.isArray(result)) {
    if (result.length === 0) return `no ${group}\n`
    const rows = result.map(flatten)
    return toTable(rows, columnsByGroup.get(group) ?? toColumns(rows), paint)
  }
  if (typeof result === 'string') return `${result.split('\n').map(toPlainLine).join('\n')}\n`
  const row = flatten(result)
  const columns = columnsByGroup.get(group)
  if (columns?.every(([field]) => field in row)) return toTable([row], columns, paint)
  return toPairs(
    Object.entries(row).map(([field, value]) => [toTitle(field), toCell(value)]),
    paint,
  )
}

/** Formats rows below a line of titles. Numbers are aligned to the right. */
function toTable(rows: readonly Row[], columns: readonly Column[], paint: Paint): string {
  const cells = rows.map((row) => columns.map(([field]) => toPlainLine(toCell(row[field]))))
  const widths = columns.map(([, title], at) =>
    cells.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), title.length),
  )
  const areNumbers = columns.map(([field]) => rows.every((row) => isNumeric(row[field])))
  const align = (line: readonly string[]) =>
    line
      .map((text, at) =>
        areNumbers[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const titles = align(columns.map(([, title]) => title))
  return [paint('bold', titles), ...cells.map(align)].map((line) => `${line}\n`).join('')
}

function toColumns(rows: readonly Row[]): readonly Column[] {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)))
  return Array.from(fields, (field) => [field, toTitle(field).toUpperCase()])
}

/** Returns the fields of a record with those of nested records: `minute.resetsAt`. */
function flatten(value: unknown): Row {
  if (!isRecord(value)) return { value }
  const fields = Object.entries(value).flatMap(([name, field]) =>
    isRecord(field)
      ? Object.entries(flatten(field)).map(([rest, inner]) => [`${name}.${rest}`, inner])
      : [[name, field]],
  )
  return Object.fromEntries(fields)
}

function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts `minute.resetsAt` to `Minute resets at`. */
function toTitle(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('.', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a value is a number, or an int64 that is a string because it is beyond 2^53−1. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d{16,19}$/.test(value))
}
