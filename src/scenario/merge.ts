import { suggestName } from '../validation/nearest-name.js'
import { describeValue } from '../validation/validate.js'
import { ScenarioError } from './error.js'
import { isPlainObject } from './read.js'
import type { Scenario } from './schema.js'

/** The fields of several scenarios; a merged scenario has no name. */
export type MergedScenario = Omit<Scenario, 'name' | 'description' | '$schema' | 'extends'>

/** A scenario that can be merged and extended. */
export interface ScenarioEntry {
  readonly name: string
  /** Path or other origin, for messages. */
  readonly source: string
  /**
   * Returns the scenario without defaults.
   *
   * @throws {ScenarioError} If the scenario is invalid.
   */
  readonly read: () => Scenario
}

const maximumDepth = 64

/**
 * Merges scenarios, and the scenarios that they extend, from left to right: a later value replaces
 * an earlier one. A scenario comes after the scenarios that it extends, and each is merged once, at
 * its first position. Objects merge key by key; arrays, scalars, rate-limit windows and bans are
 * replaced as a whole.
 *
 * @param known All scenarios by name, to look up `extends`.
 * @throws {ScenarioError} If a scenario extends itself or an unknown scenario.
 */
export function mergeScenarios(
  entries: readonly ScenarioEntry[],
  known: ReadonlyMap<string, ScenarioEntry>,
): MergedScenario {
  let merged: MergedScenario = {}
  for (const entry of toMergeOrder(entries, known)) {
    const { name: _, description: __, $schema: ___, extends: ____, ...fields } = entry.read()
    merged = mergeObjects(merged, fields, [])
  }
  return merged
}

/** Returns the entries and the scenarios that they extend, parents first. */
function toMergeOrder(
  entries: readonly ScenarioEntry[],
  known: ReadonlyMap<string, ScenarioEntry>,
): Set<ScenarioEntry> {
  const ordered = new Set<ScenarioEntry>()
  for (const entry of entries) visit(entry, [])
  return ordered

  function visit(entry: ScenarioEntry, path: readonly ScenarioEntry[]): void {
    if (ordered.has(entry)) return
    rejectCycle(entry, path)
    const nextPath = [...path, entry]
    for (const name of toParentNames(entry)) {
      const parent = known.get(name)
      if (!parent) throw createUnknownParentError(name, nextPath, [...known.keys()])
      visit(parent, nextPath)
    }
    ordered.add(entry)
  }
}

function toParentNames(entry: ScenarioEntry): readonly string[] {
  const { extends: names = [] } = entry.read()
  return typeof names === 'string' ? [names] : names
}

function rejectCycle(entry: ScenarioEntry, path: readonly ScenarioEntry[]): void {
  const start = path.indexOf(entry)
  if (start >= 0) {
    const cycle = toArrows([...path.slice(start), entry])
    throw new ScenarioError(entry.source, [`extends must not form a cycle, found ${cycle}`])
  }
  if (path.length < maximumDepth) return
  const problem = `extends must form a chain of at most ${maximumDepth} scenarios, found more`
  throw new ScenarioError(entry.source, [problem])
}

function createUnknownParentError(
  name: string,
  path: readonly ScenarioEntry[],
  names: readonly string[],
): ScenarioError {
  const origin = path.length < 2 ? '' : ` in ${toArrows(path)}`
  const found = `${describeValue(name)}${origin}${suggestName(name, names)}`
  const source = path.at(-1)?.source ?? ''
  return new ScenarioError(source, [`extends must name known scenarios, found ${found}`])
}

function toArrows(entries: readonly ScenarioEntry[]): string {
  return entries.map(({ name }) => name).join(' -> ')
}

type Fields = Readonly<Record<string, unknown>>

function mergeObjects(base: Fields, override: Fields, path: readonly string[]): Fields {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(override)) {
    const found = Object.hasOwn(base, key) ? base[key] : undefined
    const keyPath = [...path, key]
    merged[key] =
      isPlainObject(found) && isPlainObject(value) && !isReplaced(keyPath)
        ? mergeObjects(found, value, keyPath)
        : value
  }
  return merged
}

/** Whether a value is replaced as a whole: windows and bans, whose fields depend on each other. */
function isReplaced(path: readonly string[]): boolean {
  return path[0] === 'quota' && path.length === 3
}
