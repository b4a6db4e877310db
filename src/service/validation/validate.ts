import * as z from 'zod/mini'
import { maximumDepth } from '../bounds.js'
import { Problem } from '../errors.js'
import { listFirst, maximumMismatches, truncate } from './message.js'
import { findMisspeltName } from './nearest-name.js'

/** A part of a value that does not match the schema. */
export interface Mismatch {
  /** Path of the part, such as `pets[3].quantity`. Empty for the value itself. */
  readonly path: string
  readonly kind: 'missing' | 'invalid'
  /** Expected value, such as `an integer from 0`. */
  readonly wanted: string
  /** Actual value, such as `"5" (string)`. */
  readonly found: string
  /** An unknown field, and the known ones of its object. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] }
}

/** Result of {@link validate}. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mismatches: readonly Mismatch[] }

/** Wanted value in the message about deeper nesting. */
export const depthLimit = `at most ${maximumDepth} levels of nesting`

/**
 * Validates an untrusted value. Describes at most 50 mismatches.
 *
 * @param at Path of the value in the mismatches. Default: none, for a whole value.
 */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  at: readonly PropertyKey[] = [],
): Validation<z.output<S>> {
  const context = { async: false, error: describeExpected, reportInput: true } as const
  const result = schema._zod.run({ value, issues: [] }, context)
  if (result instanceof Promise) throw new TypeError('a schema must be synchronous')
  if (result.issues.length === 0) return { ok: true, value: result.value as z.output<S> } // without issues
  const mismatches = result.issues.slice(0, maximumMismatches).flatMap((issue) => {
    const described = z.core.util.finalizeIssue(issue, context, z.core.config())
    return toMismatches({ ...described, path: [...at, ...described.path] }, issue.inst)
  })
  return { ok: false, mismatches: mismatches.slice(0, maximumMismatches) }
}

const shownMismatches = 10

/**
 * Validates an untrusted value.
 *
 * @param whole Name of the value in the message.
 * @throws {Problem} missing_field or invalid_field. The message lists the first ten mismatches and the
 *   number of further ones.
 */
export function readValue<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  whole: string,
): z.output<S> {
  const result = validate(schema, value)
  if (result.ok) return result.value
  const [first] = result.mismatches
  const code = first?.kind === 'missing' ? 'missing_field' : 'invalid_field'
  const sentences = result.mismatches.map((mismatch) => describeMismatch(mismatch, whole))
  throw new Problem(code, listFirst(sentences, shownMismatches).join('; '))
}

/**
 * Describes a mismatch: `quantity must be an integer from 0, found "5" (string)`.
 *
 * @param whole Name of the value as a whole.
 */
export function describeMismatch(mismatch: Mismatch, whole = 'the value'): string {
  const where = truncate(mismatch.path || whole, maximumPart)
  const wanted = truncate(mismatch.wanted, maximumPart)
  if (mismatch.kind === 'missing') return `${where} is missing, wanted ${wanted}`
  if (mismatch.unknown) {
    const nearest = findMisspeltName(mismatch.unknown.name, mismatch.unknown.known)
    const hint = nearest === undefined ? ',' : `; did you mean ${JSON.stringify(nearest)}?`
    return `${where} is not a known field${hint} wanted ${wanted}`
  }
  return `${where} must be ${wanted}, found ${mismatch.found}`
}

/** Maximum length of a path and of the wanted value in a message, in characters. */
const maximumPart = 500

/** Describes a value for a message: at most 60 characters, with its type. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number' || typeof value === 'boolean') return `${value} (${typeof value})`
  const text = String(value)
  return `${JSON.stringify(truncate(text, 60))} (${typeof value})`
}

/** Formats a path of keys: `pets[3].quantity`. Names are truncated to 100 characters. */
export function toPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    const name = truncate(String(key))
    if (!/^[\w$-]+…?$/.test(name)) return `${path}[${JSON.stringify(name)}]`
    return path === '' ? name : `${path}.${name}`
  }, '')
}

/** @param schema The schema that has found the issue, if it is known. */
function toMismatches(issue: z.core.$ZodIssue, schema?: unknown): readonly Mismatch[] {
  if (issue.code === 'unrecognized_keys') {
    const known = toFieldNames(schema)
    return issue.keys.slice(0, maximumMismatches).map((name) => ({
      path: toPath([...issue.path, name]),
      kind: 'invalid',
      wanted: issue.message,
      found: 'a field',
      unknown: { name, known },
    }))
  }
  if (issue.code === 'invalid_union' && issue.message === anyAlternative) {
    const closest = findClosest(issue.errors)
    if (typeof closest !== 'string') {
      return closest.flatMap((found) =>
        toMismatches({ ...found, path: [...issue.path, ...found.path] }),
      )
    }
    return toMismatches({ ...issue, message: closest })
  }
  const input = toInput(issue)
  return [
    {
      path: toPath(issue.path),
      kind: input === undefined ? 'missing' : 'invalid',
      wanted: issue.message,
      found: describeValue(input),
    },
  ]
}

type Issues = readonly z.core.$ZodIssue[]

/**
 * Returns the issues of the best-fitting alternative of a union. If several fit equally well, returns
 * the expected values.
 */
function findClosest(alternatives: readonly Issues[]): Issues | string {
  const ofType = alternatives.filter((issues) => !issues.some(isOfOtherType))
  if (ofType.length === 0) return toAlternatives(alternatives.map(([issue]) => issue?.message))
  const fewest = Math.min(...ofType.map(measure))
  const closest = ofType.filter((issues) => measure(issues) === fewest)
  const places = new Set(closest.map(([issue]) => toPath(issue?.path ?? [])))
  const [first = []] = closest
  return places.size <= 1 ? first : `an object with ${toAlternatives([...places])}`
}

/** Whether the whole value has the wrong type. */
function isOfOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

/** Measures how far a value is from an alternative. A missing field counts twice. */
function measure(issues: Issues): number {
  return issues.reduce((sum, issue) => sum + (toInput(issue) === undefined ? 2 : 1), 0)
}

function toAlternatives(wanted: readonly (string | undefined)[]): string {
  return [...new Set(wanted)].join(' or ')
}

/**
 * Returns the value at the path of an issue. The input of a union is the object with the
 * discriminator.
 */
function toInput(issue: z.core.$ZodIssue): unknown {
  const { input } = issue
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return input
  return Object.entries(input ?? {}).find(([key]) => key === issue.discriminator)?.[1]
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

/** Default message for a union whose alternatives all fail. */
const anyAlternative = 'another type'

/** Returns the default message for a zod issue: the expected value. */
function describeExpected(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.inst instanceof z.core.$ZodNumberFormat) return 'an integer'
      return typeNames[issue.expected] ?? `a value of type ${issue.expected}`
    case 'invalid_value':
      return toChoice(issue.values)
    case 'too_small':
      return `${toMeasure(issue.origin)} ${issue.inclusive ? 'of at least' : 'above'} ${issue.minimum}`
    case 'too_big':
      return `${toMeasure(issue.origin)} ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`
    case 'invalid_format':
      return `a ${issue.format}${issue.pattern ? ` matching ${issue.pattern}` : ''}`
    case 'unrecognized_keys': {
      const fields = toFieldNames(issue.inst)
      return fields.length === 0 ? 'none' : `one of ${fields.join(', ')}`
    }
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? toChoice(issue.options.filter((option) => option !== undefined))
        : anyAlternative
    case 'invalid_key':
      return 'a valid name'
    default:
      return issue.message ?? 'another value'
  }
}

/** Returns the fields of an object schema. */
function toFieldNames(schema: unknown): readonly string[] {
  return schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : []
}

function toChoice(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ')
}

function toMeasure(origin: string): string {
  if (origin === 'string') return 'a string with a length'
  if (origin === 'array') return 'an array with a length'
  return 'a number'
}
