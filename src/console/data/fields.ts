import { parseJson } from '../../service/json.js'

/** A record as the control API sends it. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** A documented field of a record, as a form edits it: as a string. */
export interface Field {
  readonly name: string
  readonly label: string
  /**
   * How its value is written: `id` as a string of digits, `list` with one string per line, or as a
   * JSON array if that is not possible, `boolean` as `true` or `false`.
   */
  readonly type: 'id' | 'integer' | 'text' | 'choice' | 'list' | 'timestamp' | 'boolean'
  readonly choices?: readonly string[]
  readonly hint?: string
  /** Shown at a negative number. */
  readonly negativeHint?: string
}

/** The edited fields as strings, by name. The additional fields are one string of JSON. */
export type Draft = Readonly<Record<string, string>>

/** Name of the additional fields in a draft. No field can have it, because it is not an identifier. */
export const additional = '…'

/** Returns the value of a field as a form shows it. */
export function toText({ type }: Field, value: unknown): string {
  if (type === 'list' && Array.isArray(value)) return toLines(value)
  return value === undefined ? '' : String(value)
}

/** Returns what the user may want to know about a value that is accepted. */
export function findHint(
  { negativeHint }: Pick<Field, 'name' | 'negativeHint'>,
  text: string,
): string | undefined {
  return /^\s*-[1-9]/.test(text) ? negativeHint : undefined
}

/** Returns the JSON of what is written into a form. The sandbox validates it. */
export function toJson({ type }: Field, text: string): string {
  if (type === 'list') return readLines(text)
  if (type === 'text') return JSON.stringify(text)
  const trimmed = text.trim()
  if (type === 'boolean' || (type === 'integer' && number.test(trimmed))) return trimmed
  return JSON.stringify(trimmed)
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function toLines(values: readonly unknown[]): string {
  const canBeLines = values.every(
    (value) => typeof value === 'string' && value !== '' && !/[\r\n]/.test(value),
  )
  const lines = values.join('\n')
  return canBeLines && !isArray(lines) ? lines : JSON.stringify(values, null, 2)
}

function readLines(text: string): string {
  if (isArray(text)) return Array.isArray(parseJson(text)) ? text : JSON.stringify(text)
  return JSON.stringify(text.split(/\r?\n/).filter((line) => line !== ''))
}

function isArray(text: string): boolean {
  return text.trimStart().startsWith('[')
}

/** Returns the fields of a record that are not documented. */
export function pickAdditional(record: JsonRecord, fields: readonly Field[]): JsonRecord {
  const names = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))
}

/** Returns every field of a record as a form shows it. */
export function toDraft(record: JsonRecord, fields: readonly Field[]): Draft {
  const others = pickAdditional(record, fields)
  const texts = fields.map((field) => [field.name, toText(field, record[field.name])])
  const json = Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2)
  return { ...Object.fromEntries(texts), [additional]: json }
}
