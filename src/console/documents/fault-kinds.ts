import { type Entries, type FormField, toEntry, toJsonObject } from '../parts/form-values.js'

/** A kind of fault, with the fields of its form. */
export interface FaultKind {
  /** The value of the field `type`. */
  readonly type: string
  readonly title: string
  readonly description: string
  readonly fields: readonly FaultField[]
}

export interface FaultField extends FormField {
  /** The default or an example of a required field; otherwise empty. */
  readonly initial: string
}

/** The part of a kind that `describeEffect` needs. */
export interface KindTitles extends Pick<FaultKind, 'type' | 'title'> {
  /** Those whose title is not their name in words. */
  readonly fields?: readonly Pick<FaultField, 'name' | 'title'>[]
}

/** A fault of any kind, as the control API returns it. */
export type AnyFault = Readonly<Record<string, unknown>>

/** Returns the entries of the form for a fault. Default: the entries of an unused form. */
export function toEntries({ fields }: FaultKind, fault?: AnyFault): Entries {
  const entries = fields.map(({ name, initial }) => [name, fault ? toEntry(fault[name]) : initial])
  return Object.fromEntries(entries)
}

/** Converts the entries of a form to a fault as JSON. An empty entry omits the field. */
export function toFaultJson({ type, fields }: FaultKind, entries: Entries): string {
  const stated = fields.filter(({ name }) => entries[name] !== '')
  return toJsonObject([{ name: 'type', title: '', type: 'text' }, ...stated], { ...entries, type })
}

/** Fields of every kind. `describeEffect` does not list them with the fields of the kind. */
const commonFields = new Set(['type', 'operation', 'match', 'skip', 'rate', 'atMost', 'triggered'])

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
