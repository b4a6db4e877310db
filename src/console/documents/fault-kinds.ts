import type { OpenApiDocument } from '../../openapi/document.js'
import type { JsonSchema } from '../../openapi/schemas.js'
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
  readonly fields: readonly Pick<FaultField, 'name' | 'title'>[]
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

/** Converts the values of a form to a fault. The sandbox validates it. */
export function toFault({ type, fields }: FaultKind, entries: FaultEntries): AnyFault {
  const values = fields.flatMap((field) => {
    const entry = entries[field.name] ?? ''
    return entry === '' ? [] : [[field.name, readEntry(field, entry)] as const]
  })
  return { type, ...Object.fromEntries(values) }
}

function readEntry({ input }: FaultField, entry: string): unknown {
  if (input === 'integer' || input === 'number') return Number(entry)
  if (input === 'choice' || input === 'text') return entry
  try {
    return JSON.parse(entry)
  } catch {
    return entry
  }
}

/** Fields of every kind. `describeFault` does not list them with the fields of the kind. */
const commonFields = new Set(['type', 'operation', 'match', 'after', 'rate', 'times', 'triggered'])

/** Describes a fault, such as `Error status 503 (Code busy): getPet, 20 % of requests, 3 more times`. */
export function describeFault(fault: AnyFault, kinds: readonly KindTitles[]): string {
  const { type = 'sequence', operation = 'every operation', match, rate = 1, times } = fault
  const { after = 0, triggered = 0 } = fault
  const kind = kinds.find((known) => known.type === type)
  const scope = [
    String(operation),
    match !== undefined && `with ${toEntry(match)}`,
    after !== 0 && `after ${after} more`,
    Number(rate) < 1 && `${Number((Number(rate) * 100).toFixed(2))} % of requests`,
    times !== undefined && (times === 1 ? 'once more' : `${times} more times`),
    triggered !== 0 && `triggered ${triggered} ${triggered === 1 ? 'time' : 'times'}`,
  ]
  return `${describeEffect(fault, kind)}: ${scope.filter(Boolean).join(', ')}`
}

/**
 * Returns the title of the kind with the values of its fields. The title of a field is omitted if
 * the title of the kind ends with it: `Error status 503`.
 */
function describeEffect(fault: AnyFault, kind: KindTitles | undefined): string {
  let effect = kind?.title ?? String(fault.type)
  const details: string[] = []
  for (const [name, value] of Object.entries(fault)) {
    if (commonFields.has(name)) continue
    const title = kind?.fields.find((field) => field.name === name)?.title ?? name
    if (kind?.title.toLowerCase().endsWith(` ${title.toLowerCase()}`))
      effect += ` ${toEntry(value)}`
    else details.push(`${title} ${toEntry(value)}`)
  }
  return details.length > 0 ? `${effect} (${details.join(', ')})` : effect
}
