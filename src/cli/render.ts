import { unzip } from 'es-toolkit/array'
import { get } from 'es-toolkit/compat'
import { lowerCase, upperFirst } from 'es-toolkit/string'
import { toPlainLine } from '../service/validation/message.js'
import { isPlainObject } from '../service/validation/options.js'
import type { Paint } from './terminal.js'

/** Formats a value as indented JSON. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Formats the result of a control operation: a list as a table, a record as lines of name and value.
 *
 * @param noun Name of the records of a list, such as `pets`.
 * @param columns Paths of the shown fields, such as `minute.remaining`. Default: all fields.
 */
export function toResultText(
  result: unknown,
  noun: string,
  paint: Paint,
  columns?: readonly string[],
): string {
  if (result === undefined) return 'done\n'
  if (typeof result === 'string') return `${result.split('\n').map(toPlainLine).join('\n')}\n`
  const [record] = [result].flat()
  if (record === undefined) return `no ${noun}\n`
  const fields = columns ?? Object.keys(Object(record))
  if (Array.isArray(result)) return toTable(result, fields, paint)
  const titles = fields.map(toTitle)
  const width = Math.max(0, ...titles.map(({ length }) => length))
  const lines = fields.map((path, at) => {
    const title = paint('bold', titles[at]?.padEnd(width) ?? '')
    return `${title}  ${toPlainLine(toCell(get(result, path)))}\n`
  })
  return lines.join('')
}

/** Formats rows below a line of titles. Numbers are aligned to the right. */
function toTable(rows: readonly unknown[], fields: readonly string[], paint: Paint): string {
  const columns = fields.map((field) => {
    const values = rows.map((row) => get(row, field))
    const texts = [toTitle(field).toUpperCase(), ...values.map((each) => toPlainLine(toCell(each)))]
    const width = Math.max(...texts.map(({ length }) => length))
    const isNumber = values.every(isNumeric)
    return texts.map((text) => (isNumber ? text.padStart(width) : text.padEnd(width)))
  })
  const [title = '', ...lines] = unzip(columns).map((cells) => cells.join('  ').trimEnd())
  return [paint('bold', title), ...lines].map((line) => `${line}\n`).join('')
}

/** Converts `minute.resetsAt` to `Resets at`. */
function toTitle(path: string): string {
  return upperFirst(lowerCase(path.replace(/.*\./, '')))
}

/** Formats a value in one line: `limit 60, remaining 59` for a record. */
function toCell(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(toCell).join(', ') || 'none'
  if (!isPlainObject(value)) return String(value ?? '') || 'none'
  const fields = Object.entries(value)
  return fields.map(([name, field]) => `${lowerCase(name)} ${toCell(field)}`).join(', ')
}

/** Whether a value is a number, or an int64 that is a string because it is beyond 2^53−1. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d{16,19}$/.test(value))
}
