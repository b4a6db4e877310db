import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { isInt64, toInt64Json } from '../../service/int64.js'
import { parseExactJson } from '../../service/json.js'
import { recordKinds } from '../../service/records.js'
import { recordModels } from '../../service/schemas.js'
import { truncate } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import { describeMismatch, validate } from '../../service/validation/validate.js'
import { ScenarioError } from '../../world/scenario/error.js'
import { toPlainData } from '../../world/scenario/read.js'
import { formatExactJson } from '../response.js'

export type RecordFields = Readonly<Record<string, unknown>>

/** Maximum number of ids in a line. */
const shownIds = 10

/** What a scenario does not represent: a line for each kind of thing. */
export class Notes {
  /** The ids of the records, and the text. */
  readonly #kinds = new Map<string, string[]>()
  readonly #unknown: string[] = []

  /** @param kind What is grouped in one line with its first text. Default: the text. */
  add(text: string, id?: string, kind = text): void {
    const group = this.#kinds.get(kind) ?? [text]
    this.#kinds.set(kind, group)
    if (id !== undefined) group.push(id)
  }

  /** Adds what the responses do not show. */
  addUnknown(text: string, ids: readonly string[] = []): void {
    this.#unknown.push(toLine([text, ...ids]))
  }

  /** Adds a line for each field of a record that the sandbox serves with another value. */
  addDifferences(resource: string, id: string, received: RecordFields, served: RecordFields): void {
    for (const name of new Set([...Object.keys(received), ...Object.keys(served)])) {
      const [found, other] = [received, served].map((record) =>
        Object.hasOwn(record, name) ? record[name] : undefined,
      )
      if (isDeepStrictEqual(found, other)) continue
      const field = `${resource}: ${truncate(JSON.stringify(name))} is`
      const [shown, value] = [found, other].map((each) => truncate(formatExactJson(each)))
      this.add(`${field} ${shown}, the sandbox serves ${value}`, id, field)
    }
  }

  toLines(): string[] {
    const lines = [...this.#kinds.values()].map((group) => `not represented: ${toLine(group)}`)
    const first = lines.length === 0 ? ['every received value is represented'] : lines
    return [...first, ...this.#unknown.map((line) => `not known: ${line}`)]
  }
}

function toLine([text = '', ...ids]: readonly string[]): string {
  if (ids.length === 0) return text
  const rest = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : ''
  return `${text} (${ids.slice(0, shownIds).join(', ')}${rest})`
}

/** A record of a scenario. */
export interface Fitted {
  readonly id: string
  readonly record: RecordFields
  /** The record with the defaults of the sandbox; integers beyond ±(2^53−1) are bigints. */
  readonly served: RecordFields
}

/**
 * Returns the record of a scenario that represents a received one, or the reason why there is none.
 * Omits the fields that a scenario cannot have; the sandbox serves their defaults.
 */
export function fitRecord(kind: 'pets' | 'orders', received: unknown): Fitted | string {
  if (!isPlainObject(received)) return 'it is not an object'
  const { schema } = recordModels[kind]
  const shape = new Map<string, z.ZodMiniType>(Object.entries(schema.shape))
  const int64s: readonly string[] = recordKinds[kind].int64s
  const fields = Object.entries(received).flatMap(([name, value]) => {
    if (value === undefined) return []
    const id = int64s.includes(name) ? toInt64(value) : undefined
    // Bigints become numbers, which are rounded.
    const plain: unknown = id === undefined ? JSON.parse(formatExactJson(value)) : toInt64Json(id)
    const field = shape.get(name)
    const isValid = int64s.includes(name) || !field || validate(field, plain).ok
    return isValid && isPlainData({ [name]: plain }) ? [[name, plain] as const] : []
  })
  const known = fields.filter(([name]) => shape.has(name))
  const record = [fields, known].map((each) => Object.fromEntries(each)).find(isPlainData)
  if (!record) return 'it is too large'
  const result = validate(schema, record)
  if (!result.ok) return result.mismatches.map((each) => describeMismatch(each)).join('; ')
  const ids = int64s.map((name) => [name, parseExactJson(String(result.value[name]))])
  const served = { ...result.value, ...Object.fromEntries(ids) }
  return { id: String(result.value[recordKinds[kind].id]), record, served }
}

/** Whether a scenario can have a record. */
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

/** Returns the canonical decimal of a number or a string; undefined if it is not an int64. */
export function toInt64(value: unknown): string | undefined {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
  const text = isExact ? String(value) : value
  return typeof text === 'string' && isInt64(text) ? text : undefined
}
