import type * as z from 'zod/mini'
import { listEntries, maximumDepth, recordCharacters, recordValues } from '../../service/bounds.js'
import { fromJsonRecord, kindNames, recordKinds } from '../../service/records.js'
import { recordModels } from '../../service/schemas.js'
import { maximumMismatches } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import {
  depthLimit,
  describeMismatch,
  describeValue,
  type Mismatch,
  toPath,
  validate,
} from '../../service/validation/validate.js'
import { ScenarioError } from './error.js'
import {
  type FilledScenario,
  type ListName,
  listedKeySchema,
  maximumKeys,
  type Scenario,
  scenarioSchema,
} from './schema.js'

const listNames: readonly ListName[] = ['apiKeys', ...kindNames]

/** A valid scenario. */
export interface ReadScenario {
  /** All fields except lists, without defaults. */
  readonly fields: Omit<Scenario, ListName>
  /** The lists of the scenario, with the defaults of their entries. */
  readonly lists: Partial<Pick<FilledScenario, ListName>>
}

/**
 * Validates a scenario and returns a copy of it, as needed for merging.
 *
 * @param source The file or other origin of the scenario, for messages.
 * @throws {ScenarioError} If the scenario is invalid. It states at most 50 problems.
 */
export function readScenario(value: unknown, source: string): ReadScenario {
  const object = isPlainObject(value) ? value : toPlainData(value, source)
  if (!isPlainObject(object)) {
    const found = describeValue(object)
    throw new ScenarioError(source, [`the scenario must be an object, found ${found}`])
  }
  const fields = toPlainData(omitLists(object), source)
  const result = validate(scenarioSchema, fields)
  const mismatches = result.ok ? [] : [...result.mismatches]
  const lists: Record<string, unknown> = {}
  for (const name of listNames) {
    const list = object[name]
    if (Array.isArray(list)) lists[name] = readList(name, list, source, mismatches)
  }
  if (mismatches.length > 0) throw new ScenarioError(source, toProblems(mismatches))
  return { fields, lists } as ReadScenario // they are valid
}

/** Describes what is wrong with a scenario. */
export function toProblems(mismatches: readonly Mismatch[]): string[] {
  return mismatches.map((mismatch) => describeMismatch(mismatch, 'the scenario'))
}

/**
 * Returns the result of `readScenario` for a valid scenario whose records have all fields, in the order
 * of their schemas. Validating `default` would take 10 ms of a start.
 */
export function readValidScenario(scenario: Scenario): ReadScenario {
  const { apiKeys } = scenario
  const lists: Record<string, unknown> = apiKeys ? { apiKeys } : {}
  for (const kind of kindNames) {
    const records: readonly object[] | undefined = scenario[kind]
    if (records) lists[kind] = records.map((record) => fromJsonRecord(kind, record))
  }
  return { fields: omitLists(scenario), lists } as ReadScenario // it is valid
}

/** Returns all fields except lists. A value that is no array is no list. */
function omitLists(scenario: object): object {
  const isList = ([name, value]: [string, unknown]) =>
    Array.isArray(value) && listNames.some((each) => each === name)
  return Object.fromEntries(Object.entries(scenario).filter((field) => !isList(field)))
}

/** Validates the entries of a list and fills in their defaults. Adds mismatches until there are 50. */
function readList(
  name: ListName,
  list: readonly unknown[],
  source: string,
  mismatches: Mismatch[],
): unknown[] {
  const isKeys = name === 'apiKeys'
  const schema: z.ZodMiniType = isKeys ? listedKeySchema : recordModels[name].schema
  const idField = isKeys ? 'key' : recordKinds[name].id
  const maximum = isKeys ? maximumKeys : listEntries
  const reject = (path: readonly PropertyKey[], wanted: string, found: unknown) =>
    mismatches.push({ path: toPath(path), kind: 'invalid', wanted, found: describeValue(found) })
  if (list.length > maximum) {
    reject([name], `an array of at most ${maximum} entries`, list)
    return []
  }
  const ids = new Set<unknown>()
  const read: unknown[] = []
  for (let index = 0; index < list.length && mismatches.length < maximumMismatches; index++) {
    const path = [name, index]
    const result = validate(schema, toPlainData(list[index], source, path), path)
    if (!result.ok) {
      mismatches.push(...result.mismatches)
      continue
    }
    const id = String(Reflect.get(Object(result.value), idField))
    // An API key must not appear whole in a message.
    const shown = isKeys ? `${id.slice(0, 12)}…` : id
    if (ids.has(id)) reject([...path, idField], 'unique in the array', shown)
    ids.add(id)
    read.push(result.value)
  }
  return read
}

/**
 * Returns a deep copy of JSON data, so that later changes to the value do not affect the scenario.
 * Omits fields that are undefined.
 *
 * @param at Path of the value in the scenario.
 * @throws {ScenarioError} If the value is not JSON data, has more than 20,000 values or 1,048,576
 *   characters, is nested too deeply, or has a `__proto__` key.
 */
export function toPlainData(
  value: unknown,
  source: string,
  at: readonly PropertyKey[] = [],
): unknown {
  let values = 0
  let characters = 0
  return copy(value, at)

  function copy(item: unknown, path: readonly PropertyKey[]): unknown {
    values += 1
    if (values > recordValues) reject(at, `at most ${recordValues} values`, 'more')
    if (typeof item === 'string') countCharacters(item)
    if (item === null || ['string', 'boolean'].includes(typeof item)) return item
    if (Number.isFinite(item)) return item
    if (path.length >= maximumDepth) reject(at, depthLimit, 'more')
    if (Array.isArray(item)) {
      const wanted = `an array of at most ${listEntries} entries`
      if (item.length > listEntries) reject(path, wanted, describeValue(item))
      return Array.from(item, (entry, index) => copy(entry, [...path, index]))
    }
    if (!isPlainObject(item)) return reject(path, 'JSON data', describeValue(item))
    const copied: Record<string, unknown> = {}
    for (const [key, field] of Object.entries(item)) {
      if (key === '__proto__') reject([...path, key], 'another name', 'a field of this name')
      if (field === undefined) continue
      countCharacters(key)
      copied[key] = copy(field, [...path, key])
    }
    return copied
  }

  function countCharacters(text: string): void {
    characters += text.length
    if (characters > recordCharacters) reject(at, `at most ${recordCharacters} characters`, 'more')
  }

  function reject(path: readonly PropertyKey[], wanted: string, found: string): never {
    const mismatch = { path: toPath(path), kind: 'invalid', wanted, found } as const
    throw new ScenarioError(source, [describeMismatch(mismatch, 'the scenario')])
  }
}
