import type * as z from 'zod/mini'
import { listEntries } from '../../service/bounds.js'
import { toInt64Json } from '../../service/int64.js'
import { toInt64, tryParseExactJson } from '../../service/json.js'
import { isPlainObject } from '../../service/validation/options.js'
import { describeMismatch, validate } from '../../service/validation/validate.js'
import { ScenarioError } from '../../world/scenario/error.js'
import { toPlainData } from '../../world/scenario/read.js'

/** A record of a scenario, before its defaults. */
export type RecordFields = Readonly<Record<string, unknown>>

/** A value that became a record, or the reason why it did not. */
export type Fitted =
  | { readonly record: RecordFields; readonly reason?: undefined }
  | { readonly record?: undefined; readonly reason: string }

/**
 * Returns the fields of a record that a scenario can state. Omits those that the schema rejects; the
 * sandbox serves their defaults.
 *
 * @param ids Fields with an int64.
 * @param placeholders Values of required fields that are missing or rejected.
 */
export function fitRecord(
  schema: z.ZodMiniType,
  value: unknown,
  ids: readonly string[],
  placeholders: RecordFields = {},
): Fitted {
  if (!isPlainObject(value)) return { reason: 'it is not an object' }
  let record = withPlainData(withIds(value, ids))
  for (let attempt = 0; attempt <= Object.keys(record).length; attempt++) {
    const result = validate(schema, record)
    if (result.ok) return { record }
    const [mismatch] = result.mismatches
    const name = /^\w+/.exec(mismatch?.path ?? '')?.[0] ?? ''
    const wasReplaced = Object.hasOwn(placeholders, name) && record[name] === placeholders[name]
    const isReplaceable = Object.hasOwn(placeholders, name) && !wasReplaced
    if (!mismatch || ids.includes(name) || (mismatch.kind === 'missing' && !isReplaceable)) {
      return { reason: mismatch ? describeMismatch(mismatch, 'it') : 'it is not a record' }
    }
    record = replaceField(record, name, placeholders)
  }
  return { reason: 'it is not a record' }
}

function replaceField(record: RecordFields, name: string, placeholders: RecordFields) {
  if (Object.hasOwn(placeholders, name)) return { ...record, [name]: placeholders[name] }
  return omit(record, [name])
}

/** Returns a record without some fields. */
export function omit(record: RecordFields, names: readonly string[]): RecordFields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

function withIds(value: RecordFields, ids: readonly string[]): RecordFields {
  const fields = Object.entries(value).map(([name, field]) => {
    const id = ids.includes(name) ? toInt64(field) : undefined
    return [name, id === undefined ? toPlainValue(field) : toInt64Json(id)] as const
  })
  return Object.fromEntries(fields)
}

/** Replaces bigints by numbers, which are rounded. */
function toPlainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(toPlainValue)
  if (typeof value !== 'object' || value === null) return value
  // `fromEntries` defines the fields, so that `__proto__` is one as well.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toPlainValue(item)]))
}

/** Omits the fields that no scenario can have, and if the others are too large, the largest ones. */
function withPlainData(record: RecordFields): RecordFields {
  if (isPlainData(record)) return record
  const fields = Object.entries(record).filter(([name, field]) => isPlainData({ [name]: field }))
  let kept = Object.fromEntries(fields)
  const bySize = fields
    .map(([name, field]) => ({ name, size: JSON.stringify(field).length }))
    .sort((one, other) => other.size - one.size)
  for (const { name } of bySize) {
    if (isPlainData(kept)) return kept
    kept = { ...omit(kept, [name]) }
  }
  return kept
}

function isPlainData(record: RecordFields): boolean {
  try {
    // One level deeper than in a list of a scenario, whose path counts as nesting.
    toPlainData(record, 'record', ['pets', 0])
    return true
  } catch (error) {
    if (error instanceof ScenarioError) return false
    throw error
  }
}

/** Maximum number of ids in a line. */
const shownIds = 10

/** Formats ids for a line. */
export function listIds(ids: readonly string[]): string {
  const shown = ids.slice(0, shownIds).join(', ')
  return ids.length > shownIds ? `${shown} and ${ids.length - shownIds} more` : shown
}

/** The entries of a JSON array of a response. */
export interface ReadList {
  readonly entries: readonly unknown[]
  /** Why there are none, or why some are missing. */
  readonly problem?: string
}

/** Reads the JSON array of a body. Cuts what a scenario has no room for. */
export function readList(body: string): ReadList {
  const value = tryParseExactJson(body)
  if (!Array.isArray(value)) return { entries: [], problem: 'the body is not a JSON array' }
  if (value.length <= listEntries) return { entries: value }
  const problem = `a scenario has at most ${listEntries} entries, found ${value.length}; the last ones are left out`
  return { entries: value.slice(0, listEntries), problem }
}
