import { describeMismatch, describeValue, toPath } from '../validation/validate.js'
import { ScenarioError } from './scenario-error.js'

/** How many entries a list of a scenario may have. */
export const maximumEntries = 20_000

const deepest = 64
const mostValues = 2_000_000

/** JSON data: what a scenario is made of. */
export type PlainData =
  | string
  | number
  | boolean
  | null
  | readonly PlainData[]
  | { readonly [key: string]: PlainData }

/**
 * Copies a value from outside as plain JSON data, so that nothing that happens to the value later
 * reaches a scenario. Fields that are undefined are left out.
 *
 * @throws {ScenarioError} When it is no JSON data, is nested too deep, is too large, or has a
 *   `__proto__` key.
 */
export function toPlainData(value: unknown, source: string): PlainData {
  let values = 0
  return copy(value, [])

  function copy(item: unknown, keys: readonly PropertyKey[]): PlainData {
    values += 1
    if (values > mostValues) refuse([], `at most ${mostValues} values in all`, 'more')
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item
    if (typeof item === 'number' && Number.isFinite(item)) return item
    if (keys.length >= deepest) refuse([], `at most ${deepest} levels of nesting`, 'more')
    if (Array.isArray(item)) return copyArray(item, keys)
    if (isPlainObject(item)) return copyObject(item, keys)
    return refuse(keys, 'JSON data', describeValue(item))
  }

  function copyArray(items: readonly unknown[], keys: readonly PropertyKey[]): PlainData {
    if (items.length > maximumEntries) {
      refuse(keys, `an array of at most ${maximumEntries} entries`, describeValue(items))
    }
    return Array.from(items, (item, index) => copy(item, [...keys, index]))
  }

  function copyObject(object: object, keys: readonly PropertyKey[]): PlainData {
    const copied: Record<string, PlainData> = {}
    for (const [key, field] of Object.entries(object)) {
      if (key === '__proto__') refuse([...keys, key], 'another name', 'a field of this name')
      if (field !== undefined) copied[key] = copy(field, [...keys, key])
    }
    return copied
  }

  function refuse(keys: readonly PropertyKey[], wanted: string, found: string): never {
    const mismatch = { path: toPath(keys), kind: 'invalid', wanted, found } as const
    throw new ScenarioError(source, [describeMismatch(mismatch, 'the scenario')])
  }
}

/** Whether the value is an object of named fields rather than a list or a class's instance. */
export function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
