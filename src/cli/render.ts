import { uniq, unzip } from 'es-toolkit/array'
import { upperFirst } from 'es-toolkit/string'
import { toPlainLine } from '../service/validation/message.js'
import { isPlainObject } from '../service/validation/options.js'
import { UsageError } from '../verify/usage-error.js'
import type { Paint } from './terminal.js'

/** Formats a value as indented JSON. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

type Row = Readonly<Record<string, unknown>>

/**
 * Formats the result of a control operation. A list becomes a table, and so does a record whose
 * operation has columns. Another record becomes lines of name and value.
 *
 * @param noun Name of the records of a list, such as `pets`.
 * @param columns Fields of the table. Default: all.
 */
export function toResultText(
  result: unknown,
  noun: string,
  paint: Paint,
  columns?: readonly string[],
): string {
  if (result === undefined) return 'done\n'
  if (typeof result === 'string') return `${result.split('\n').map(toPlainLine).join('\n')}\n`
  const rows = [result].flat().map(flatten)
  if (rows.length === 0) return `no ${noun}\n`
  const fields = columns ?? uniq(rows.flatMap((row) => Object.keys(row)))
  if (columns || Array.isArray(result)) return toTable(rows, fields, paint)
  const pairs = fields.map((field) => [toTitle(field), toCell(rows[0]?.[field])] as const)
  return toPairs(pairs, paint)
}

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

/** Formats rows below a line of titles. Numbers are aligned to the right. */
function toTable(rows: readonly Row[], fields: readonly string[], paint: Paint): string {
  const columns = fields.map((field) => {
    const cells = rows.map((row) => toPlainLine(toCell(row[field])))
    const texts = [toTitle(field).toUpperCase(), ...cells]
    const width = Math.max(...texts.map(({ length }) => length))
    const isNumber = rows.every((row) => isNumeric(row[field]))
    return texts.map((text) => (isNumber ? text.padStart(width) : text.padEnd(width)))
  })
  const [title = '', ...lines] = unzip(columns).map((cells) => cells.join('  ').trimEnd())
  return [paint('bold', title), ...lines].map((line) => `${line}\n`).join('')
}

/** Returns the fields of a record and of nested records: `minute.resetsAt`. */
function flatten(value: unknown): Row {
  if (!isPlainObject(value)) return { value }
  const fields = Object.entries(value).flatMap(([name, field]) =>
    isPlainObject(field)
      ? Object.entries(flatten(field)).map(([rest, inner]) => [`${name}.${rest}`, inner])
      : [[name, field]],
  )
  return Object.fromEntries(fields)
}

/** Converts `minute.resetsAt` to `Minute resets at`. */
function toTitle(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('.', ' ')
  return upperFirst(words)
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

/**
 * Returns the format of a report.
 *
 * @throws {UsageError} If `--json` and another format are set.
 */
export function chooseFormat<Format extends string>(
  isJson: boolean,
  format: Format | undefined,
): Format | 'json' | 'text' {
  if (!isJson) return format ?? 'text'
  if (format === undefined || format === 'json') return 'json'
  const message = `--json prints the format json, found --format ${format}; omit one of them`
  throw new UsageError(message)
}
