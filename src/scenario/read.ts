import { describeMismatch, describeValue, toPath, validate } from '../validation/validate.js'
import { ScenarioError } from './error.js'
import { type FilledScenario, maximumEntries, type Scenario, scenarioSchema } from './schema.js'

const maximumDepth = 64
const maximumValues = 2_000_000

/** JSON data. */
export type PlainData =
  | string
  | number
  | boolean
  | null
  | readonly PlainData[]
  | { readonly [key: string]: PlainData }

/**
 * Validates a scenario and returns a copy of it without defaults, as needed for merging.
 *
 * @param source The file or other origin of the scenario, for messages.
 * @throws {ScenarioError} If the scenario is invalid.
 */
export function readScenario(value: unknown, source: string): Scenario {
  const data = toPlainData(value, source)
  if (!isPlainObject(data)) {
    throw new ScenarioError(source, [
      `the scenario must be an object, found ${describeValue(data)}`,
    ])
  }
  fillScenario(data, source)
  return data as Scenario // fillScenario has validated it
}

/**
 * Validates a scenario and fills in the defaults.
 *
 * @throws {ScenarioError} If the scenario is invalid.
 */
export function fillScenario(data: unknown, source: string): FilledScenario {
  const result = validate(scenarioSchema, data)
  if (result.ok) return result.value
  throw new ScenarioError(
    source,
    result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the scenario')),
  )
}

/**
 * Returns a deep copy of JSON data, so that later changes to the value do not affect the scenario.
 * Omits fields that are undefined.
 *
 * @throws {ScenarioError} If the value is not JSON data, is too large or nested too deeply, or has
 *   a `__proto__` key.
 */
export function toPlainData(value: unknown, source: string): PlainData {
  let values = 0
  return copy(value, [])

  function copy(item: unknown, keys: readonly PropertyKey[]): PlainData {
    values += 1
    if (values > maximumValues) reject([], `at most ${maximumValues} values`, 'more')
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item
    if (typeof item === 'number' && Number.isFinite(item)) return item
    if (keys.length >= maximumDepth) reject([], `at most ${maximumDepth} levels of nesting`, 'more')
    if (Array.isArray(item)) return copyArray(item, keys)
    if (isPlainObject(item)) return copyObject(item, keys)
    return reject(keys, 'JSON data', describeValue(item))
  }

  function copyArray(items: readonly unknown[], keys: readonly PropertyKey[]): PlainData {
    if (items.length > maximumEntries) {
      reject(keys, `an array of at most ${maximumEntries} entries`, describeValue(items))
    }
    return Array.from(items, (item, index) => copy(item, [...keys, index]))
  }

  function copyObject(object: object, keys: readonly PropertyKey[]): PlainData {
    const copied: Record<string, PlainData> = {}
    for (const [key, field] of Object.entries(object)) {
      if (key === '__proto__') reject([...keys, key], 'another name', 'a field of this name')
      if (field !== undefined) copied[key] = copy(field, [...keys, key])
    }
    return copied
  }

  function reject(keys: readonly PropertyKey[], wanted: string, found: string): never {
    const mismatch = { path: toPath(keys), kind: 'invalid', wanted, found } as const
    throw new ScenarioError(source, [describeMismatch(mismatch, 'the scenario')])
  }
}

/** Whether the value is an object literal, not an array or an instance of a class. */
export function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
