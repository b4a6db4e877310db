import { listEntries, maximumDepth, recordCharacters, recordValues } from '../../service/bounds.js'
import { fromJsonRecord, kindNames } from '../../service/records.js'
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
  lists as listDefinitions,
  listNames,
  type Scenario,
  scenarioSchema,
} from './schema.js'

/** The lists of a scenario that it states. */
export type ScenarioLists = Partial<Pick<FilledScenario, ListName>>

/** A valid scenario. */
export interface ReadScenario {
  /** All fields except lists, without defaults. */
  readonly fields: Omit<Scenario, ListName>
  /** The lists, with the defaults of their entries. */
  readonly lists: ScenarioLists
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
  const entries = Object.entries(object)
  const rest = entries.filter(([name, list]) => !isList(name, list))
  const fields = toPlainData(Object.fromEntries(rest), source)
  const result = validate(scenarioSchema, fields)
  const mismatches = result.ok ? [] : [...result.mismatches]
  const read: Record<string, unknown> = {}
  for (const name of listNames) {
    const list = object[name]
    if (!Array.isArray(list)) continue
    read[name] = readList(name, list, source, mismatches)
  }
  if (!result.ok || mismatches.length > 0) {
    const problems = mismatches.map((mismatch) => describeMismatch(mismatch, 'the scenario'))
    throw new ScenarioError(source, problems)
  }
  // All have been validated. Those of a fault are the only defaults that merging does not fill in.
  const { faults } = result.value
  const valid = { ...Object(fields), ...('faults' in Object(fields) && { faults }) }
  return { fields: valid, lists: read as ScenarioLists }
}

/**
 * Returns what `readScenario` returns, for a scenario that is known to be valid and whose records
 * state all fields, in the order of their schemas. To validate `default` would take 10 ms of a start.
 */
export function readValidScenario(scenario: Scenario): ReadScenario {
  const entries = Object.entries(scenario)
  const fields = Object.fromEntries(entries.filter(([name, list]) => !isList(name, list)))
  const lists: Record<string, unknown> = { ...(scenario.apiKeys && { apiKeys: scenario.apiKeys }) }
  for (const kind of kindNames) {
    const records: readonly object[] | undefined = scenario[kind]
    if (records) lists[kind] = records.map((record) => fromJsonRecord(kind, record))
  }
  // The fields and records have the types of their schemas.
  return { fields: fields as ReadScenario['fields'], lists: lists as ScenarioLists }
}

function isList(name: string, value: unknown): boolean {
  return Object.hasOwn(listDefinitions, name) && Array.isArray(value)
}

/** Validates the entries of a list and fills in their defaults. Adds mismatches until there are 50. */
function readList(
  name: ListName,
  list: readonly unknown[],
  source: string,
  mismatches: Mismatch[],
): unknown[] {
  const { maximum, entrySchema, idField } = listDefinitions[name]
  if (list.length > maximum) {
    const wanted = `an array of at most ${maximum} entries`
    mismatches.push({ path: name, kind: 'invalid', wanted, found: describeValue(list) })
    return []
  }
  const ids = new Set<unknown>()
  const read: unknown[] = []
  for (let index = 0; index < list.length && mismatches.length < maximumMismatches; index++) {
    const path = [name, index]
    const copy = toPlainData(list[index], source, path)
    const result = validate(entrySchema, copy)
    if (!result.ok) {
      for (const mismatch of result.mismatches) mismatches.push(below(path, mismatch))
      continue
    }
    const id: unknown = Reflect.get(result.value, idField)
    if (ids.has(id)) mismatches.push(toDuplicate([...path, idField], id))
    ids.add(id)
    read.push(result.value)
  }
  return read
}

/** Returns a mismatch of an entry as one of the scenario. */
function below(path: readonly PropertyKey[], mismatch: Mismatch): Mismatch {
  const dot = mismatch.path === '' || mismatch.path.startsWith('[') ? '' : '.'
  return { ...mismatch, path: `${toPath(path)}${dot}${mismatch.path}` }
}

function toDuplicate(path: readonly PropertyKey[], id: unknown): Mismatch {
  // An API key must not appear whole in a message.
  const found = path[0] === 'apiKeys' ? `${String(id).slice(0, 12)}…` : id
  const wanted = 'unique in the array'
  return { path: toPath(path), kind: 'invalid', wanted, found: describeValue(found) }
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
