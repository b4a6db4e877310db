import { suggestName } from '../../service/validation/nearest-name.js'
import { isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { ScenarioError } from './error.js'
import type { ReadScenario } from './read.js'
import { type FilledScenario, scenarioDefaults } from './schema.js'

/** Where a scenario comes from, for messages. */
export interface ScenarioOrigin {
  /** As clients may see it: `scenario my-shop`. */
  readonly label: string
  /** Path or other origin of the file; undefined if there is none. */
  readonly file?: string | undefined
}

/** A scenario that can be merged and extended. */
export interface ScenarioEntry extends ScenarioOrigin {
  readonly name: string
  readonly scenario: ReadScenario
}

const maximumChain = 64

/**
 * Merges scenarios, and the scenarios that they extend, from left to right: a later value replaces
 * an earlier one. A scenario comes after the scenarios that it extends, and each is merged once, at
 * its first position. Objects merge key by key; arrays, scalars, rate-limit windows and bans are
 * replaced as a whole. Fills in the defaults of what none of them states.
 *
 * @param known All scenarios by name, to look up `extends`.
 * @throws {ScenarioError} If a scenario extends itself or an unknown scenario.
 */
export function mergeScenarios(
  entries: readonly ScenarioEntry[],
  known: ReadonlyMap<string, ScenarioEntry>,
): FilledScenario {
  const merged: Record<string, unknown> = { name: 'merged' }
  mergeInto(merged, scenarioDefaults, [])
  for (const { scenario } of toMergeOrder(entries, known)) {
    const { name: _, description: __, $schema: ___, extends: ____, ...fields } = scenario.fields
    mergeInto(merged, fields, [])
    Object.assign(merged, scenario.lists)
  }
  return merged as FilledScenario // valid fields and lists, with the defaults of all others
}

/** Returns the entries and the scenarios that they extend, parents first. */
function toMergeOrder(
  entries: readonly ScenarioEntry[],
  known: ReadonlyMap<string, ScenarioEntry>,
): Set<ScenarioEntry> {
  const ordered = new Set<ScenarioEntry>()
  /** The entries from a given one to the visited one. A set keeps their order. */
  const path = new Set<ScenarioEntry>()
  for (const entry of entries) visit(entry)
  return ordered

  function visit(entry: ScenarioEntry): void {
    if (ordered.has(entry)) return
    rejectCycle(entry, path)
    path.add(entry)
    for (const name of toParentNames(entry)) {
      const parent = known.get(name)
      if (!parent) throw createUnknownParentError(name, [...path], [...known.keys()])
      visit(parent)
    }
    path.delete(entry)
    ordered.add(entry)
  }
}

function toParentNames(entry: ScenarioEntry): readonly string[] {
  const { extends: names = [] } = entry.scenario.fields
  return typeof names === 'string' ? [names] : names
}

function rejectCycle(entry: ScenarioEntry, path: ReadonlySet<ScenarioEntry>): void {
  if (path.has(entry)) {
    const entries = [...path]
    const cycle = toArrows([...entries.slice(entries.indexOf(entry)), entry])
    throw createError(entry, `extends must not form a cycle, found ${cycle}`)
  }
  if (path.size < maximumChain) return
  const problem = `extends must form a chain of at most ${maximumChain} scenarios, found more`
  throw createError(entry, problem)
}

function createUnknownParentError(
  name: string,
  path: readonly ScenarioEntry[],
  names: readonly string[],
): ScenarioError {
  const origin = path.length < 2 ? '' : ` in ${toArrows(path)}`
  const found = `${describeValue(name)}${origin}${suggestName(name, names)}`
  return createError(path.at(-1), `extends must name known scenarios, found ${found}`)
}

function createError(entry: ScenarioEntry | undefined, problem: string): ScenarioError {
  return new ScenarioError(entry?.label ?? 'scenario', [problem], entry?.file)
}

function toArrows(entries: readonly ScenarioEntry[]): string {
  return entries.map(({ name }) => name).join(' -> ')
}

type Fields = Readonly<Record<string, unknown>>

/** Merges fields into an object that this file has created. */
function mergeInto(target: Record<string, unknown>, fields: Fields, path: readonly string[]): void {
  for (const [key, value] of Object.entries(fields)) {
    const keyPath = [...path, key]
    if (!isPlainObject(value) || isReplaced(keyPath)) {
      target[key] = value
      continue
    }
    const found = Object.hasOwn(target, key) ? target[key] : undefined
    // An object in `target` is a copy, because fields are merged into it.
    const copy: Record<string, unknown> = isPlainObject(found) ? found : {}
    mergeInto(copy, value, keyPath)
    target[key] = copy
  }
}

/** Whether a value is replaced as a whole: windows and bans, whose fields depend on each other. */
function isReplaced(path: readonly string[]): boolean {
  return path[0] === 'quota' && path.length === 3
}
