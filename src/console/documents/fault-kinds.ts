import { parseJson } from '../../service/json.js'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import type { JsonSchema } from '../../service/openapi/schemas.js'
import { findSchema, resolveSchema } from './openapi.js'

/** A kind of fault, with the fields of its form. */
export interface FaultKind {
  /** The value of the field `type`. */
  readonly type: string
  readonly title: string
  readonly description: string
  readonly fields: readonly FaultField[]
}

export interface FaultField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly isRequired: boolean
  readonly input: 'integer' | 'number' | 'boolean' | 'choice' | 'text' | 'json'
  /** Options of a choice; empty for other inputs. */
  readonly options: readonly string[]
  readonly min: number | undefined
  readonly max: number | undefined
  /** Regular expression that the whole value must match. */
  readonly pattern: string | undefined
  /** Default of the field; empty if it has none. */
  readonly defaultValue: string
  /** Initial value in the form: the default or an example of a required field, otherwise empty. */
  readonly initial: string
}

/** The part of a kind that {@link describeFault} needs. */
export interface KindTitles extends Pick<FaultKind, 'type' | 'title'> {
  /** Those whose title is not their name in words. */
  readonly fields?: readonly Pick<FaultField, 'name' | 'title'>[]
}

/** Values of the inputs of a form, by field name. An empty string omits the field. */
export type FaultEntries = Readonly<Record<string, string>>

/** A fault of any kind, as the control API returns it. */
export type AnyFault = Readonly<Record<string, unknown>>

/** Reads the kinds of fault from the alternatives of the component `Fault`. */
export function readFaultKinds(document: OpenApiDocument): readonly FaultKind[] {
  const { oneOf, anyOf } = findSchema(document, 'Fault')
  return (oneOf ?? anyOf ?? []).map((variant) => toFaultKind(document, variant))
}

function toFaultKind(document: OpenApiDocument, variant: JsonSchema | boolean): FaultKind {
  const { title, description, properties = {}, required = [] } = resolveSchema(document, variant)
  const { type, ...fields } = properties
  const typeSchema = resolveSchema(document, type)
  const typeName = String(typeSchema.const ?? typeSchema.enum?.[0])
  return {
    type: typeName,
    title: title ?? typeSchema.title ?? typeName,
    description: description ?? typeSchema.description ?? '',
    fields: Object.entries(fields)
      .filter(([name]) => name !== 'triggered')
      .map(([name, schema]) =>
        toFaultField(name, resolveSchema(document, schema), required.includes(name)),
      )
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
  }
}

function toFaultField(name: string, schema: JsonSchema, isRequired: boolean): FaultField {
  const example = Array.isArray(schema.examples) ? schema.examples[0] : undefined
  return {
    name,
    title: schema.title ?? name,
    description: schema.description ?? '',
    isRequired,
    input: toInput(schema),
    options: (schema.enum ?? []).map(String),
    min: schema.minimum ?? toNumber(schema.exclusiveMinimum),
    max: schema.maximum ?? toNumber(schema.exclusiveMaximum),
    pattern: schema.pattern?.replace(/^\^|\$$/g, ''),
    defaultValue: toEntry(schema.default),
    initial: isRequired ? toEntry(schema.default ?? example) : '',
  }
}

function toInput({ type, enum: options }: JsonSchema): FaultField['input'] {
  if (options) return 'choice'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  return type === 'string' ? 'text' : 'json'
}

function toNumber(bound: unknown): number | undefined {
  return typeof bound === 'number' ? bound : undefined
}

function toEntry(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the initial values of the form for a kind. */
export function toInitialEntries({ fields }: FaultKind): FaultEntries {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))
}

/** Returns the values of the form for a fault that exists. */
export function toEntries({ fields }: FaultKind, fault: AnyFault): FaultEntries {
  return Object.fromEntries(fields.map(({ name }) => [name, toEntry(fault[name])]))
}

/** Converts the values of a form to a fault as JSON. The sandbox validates it. */
export function toFaultJson({ type, fields }: FaultKind, entries: FaultEntries): string {
  const values = fields.flatMap((field) => {
    const entry = entries[field.name] ?? ''
    return entry === '' ? [] : [`${JSON.stringify(field.name)}:${toJson(field, entry)}`]
  })
  return `{${[`"type":${JSON.stringify(type)}`, ...values].join()}}`
}

/** JSON that the user has typed is not converted, so that an int64 stays exact. */
function toJson({ input }: FaultField, entry: string): string {
  if (input === 'integer' || input === 'number') return JSON.stringify(Number(entry))
  if (input === 'choice' || input === 'text') return JSON.stringify(entry)
  return parseJson(entry) === undefined ? JSON.stringify(entry) : entry
}

/**
 * Returns the problems that a message of the control API lists, by the field of the form that they
 * name; with an empty name if it is none of them.
 */
export function toFieldErrors(
  message: string,
  { fields }: FaultKind,
): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {}
  for (const problem of splitProblems(message)) {
    // In the list of all faults, the path begins with the position of the fault.
    const [, path = ''] = /^(?:\[\d+\]\.)?([\w$-]+)\S* (?:must|is) /.exec(problem) ?? []
    const name = fields.some((field) => field.name === path) ? path : ''
    errors[name] = errors[name] === undefined ? problem : `${errors[name]}; ${problem}`
  }
  return errors
}

/** Splits at semicolons outside of quoted values. */
function splitProblems(message: string): readonly string[] {
  const parts = message.match(/(?:"(?:[^"\\]|\\.)*"|[^;"]|;(?! )|")+/g) ?? []
  return parts.map((part) => part.trim())
}

/** Fields of every kind. `describeFault` does not list them with the fields of the kind. */
const commonFields = new Set(['type', 'operation', 'match', 'skip', 'rate', 'atMost', 'triggered'])

/** Describes a fault, such as `Error status 503 (Code busy): getPet, 20 % of requests, 3 more times`. */
export function describeFault(fault: AnyFault, kinds: readonly KindTitles[]): string {
  return `${describeEffect(fault, kinds)}: ${describeScope(fault)}`
}

/** Describes to which requests a fault applies: `getPet, 20 % of requests, 3 more times`. */
export function describeScope(fault: AnyFault): string {
  const { operation = 'every operation', match, rate, atMost, skip, triggered } = fault
  const scope = [
    String(operation),
    match !== undefined && `with ${toEntry(match)}`,
    skip && `after ${skip} more`,
    Number(rate) < 1 && `${Number((Number(rate) * 100).toFixed(2))} % of requests`,
    atMost !== undefined && (atMost === 1 ? 'once more' : `${atMost} more times`),
    triggered && `triggered ${triggered} ${triggered === 1 ? 'time' : 'times'}`,
  ]
  return scope.filter(Boolean).join(', ')
}

/** Converts `retryAfterSeconds` to `Retry after seconds`. */
function toWords(name: string): string {
  return name.replace(/^.|[A-Z]/g, (letter, at) =>
    at === 0 ? letter.toUpperCase() : ` ${letter.toLowerCase()}`,
  )
}

/** Finds the kind of a fault. A fault without a type is a sequence. */
export function findKind<Kind extends KindTitles>(
  kinds: readonly Kind[],
  { type = 'sequence' }: AnyFault,
): Kind | undefined {
  return kinds.find((known) => known.type === type)
}

/**
 * Returns the title of the kind with the values of its fields. A field without a title has its name in
 * words. It is omitted if the title of the kind ends with it: `Error status 503`.
 */
export function describeEffect(fault: AnyFault, kinds: readonly KindTitles[]): string {
  const kind = findKind(kinds, fault)
  let effect = kind?.title ?? String(fault.type)
  const details: string[] = []
  for (const [name, value] of Object.entries(fault)) {
    if (commonFields.has(name)) continue
    const title = kind?.fields?.find((field) => field.name === name)?.title ?? toWords(name)
    if (kind?.title.endsWith(` ${name}`)) effect += ` ${toEntry(value)}`
    else details.push(`${title} ${toEntry(value)}`)
  }
  return details.length > 0 ? `${effect} (${details.join(', ')})` : effect
}
