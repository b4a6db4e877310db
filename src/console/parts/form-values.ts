import { parseJson } from '../../service/json.js'

/** A field of a form. Its value is edited as a string. */
export interface FormField {
  readonly name: string
  readonly title: string
  /** `lines`: an array of strings, one per line. `boolean`: `true` or `false`. */
  readonly type: 'text' | 'integer' | 'number' | 'choice' | 'boolean' | 'lines' | 'json'
  readonly help?: string | undefined
  readonly isRequired?: boolean
  /** Whether the text has several lines. */
  readonly isLong?: boolean
  /** Options of a choice. */
  readonly options?: readonly string[] | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Regular expression that the whole text must match. */
  readonly pattern?: string | undefined
  readonly placeholder?: string | undefined
}

/** Values of fields as strings, by name. */
export type Entries = Readonly<Record<string, string>>

/** Why fields are invalid, by name; an empty name for what concerns no field. */
export type FieldErrors = Readonly<Record<string, string>>

/** Returns a value as a form shows it. */
export function toEntry(value: unknown, type?: FormField['type']): string {
  if (value === undefined) return ''
  if (type === 'lines' && Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns a JSON object of the fields that have an entry. The sandbox validates it. */
export function toJsonObject(fields: readonly FormField[], entries: Entries): string {
  const members = fields.flatMap((field) => {
    const entry = entries[field.name]
    return entry === undefined ? [] : [`${JSON.stringify(field.name)}:${toJson(field, entry)}`]
  })
  return `{${members}}`
}

/** JSON that the user has typed is not converted, so that an int64 stays exact. */
function toJson({ type }: FormField, entry: string): string {
  if (type === 'boolean') return entry
  if (type === 'lines') return JSON.stringify(entry.split('\n').filter((line) => line !== ''))
  if (type === 'json') return parseJson(entry) === undefined ? JSON.stringify(entry) : entry
  const isNumber = (type === 'integer' || type === 'number') && entry.trim() !== ''
  return JSON.stringify(isNumber && Number.isFinite(Number(entry)) ? Number(entry) : entry)
}

/**
 * Assigns the problems that a message of the control API lists to the fields that they name.
 *
 * @param message Such as `quantity must be an integer, found "a" (string); [3].rate must …`.
 */
export function toFieldErrors(message: string, fields: readonly FormField[]): FieldErrors {
  const errors: Record<string, string> = {}
  for (const problem of splitProblems(message)) {
    // The path begins with the record in `pets[0].tags`, or with the position of a fault in `[3].rate`.
    const [, path] = /^(?:the \w+: )?(?:\w*\[\d+\]\.)?([\w$-]+)\S* (?:must|is) /.exec(problem) ?? []
    const name = fields.some((field) => field.name === path) ? (path ?? '') : ''
    errors[name] = errors[name] === undefined ? problem : `${errors[name]}; ${problem}`
  }
  return errors
}

/** Splits at semicolons outside of quoted values. */
function splitProblems(message: string): readonly string[] {
  const parts = message.match(/(?:"(?:[^"\\]|\\.)*"|[^;"]|;(?! )|")+/g) ?? []
  return parts.map((part) => part.trim())
}
