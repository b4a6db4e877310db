import { suggestName } from '../../service/validation/nearest-name.js'
import { isPlainObject } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { ScenarioError } from './error.js'
import type { ReadScenario } from './read.js'

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
): ReadScenario {
  const ordered = new Set<ScenarioEntry>()
  for (const entry of entries) addInOrder(ordered, entry, known)
  const fields: Record<string, unknown> = {}
  for (const { scenario } of ordered) mergeInto(fields, scenario.fields, [])
  const lists = Object.assign({}, ...[...ordered].map(({ scenario }) => scenario.lists))
  return { fields: fields as ReadScenario['fields'], lists } // merged from valid ones
}

/**
 * Adds an entry to a set, after the scenarios that it extends.
 *
 * @param path The entries that extend it, of which each extends the next.
 */
function addInOrder(
  ordered: Set<ScenarioEntry>,
  entry: ScenarioEntry,
  known: ReadonlyMap<string, ScenarioEntry>,
  path: readonly ScenarioEntry[] = [],
): void {
  if (ordered.has(entry)) return
  const chain = [...path, entry]
  const reject = (problem: string): never => {
    throw new ScenarioError(entry.label, [`extends must ${problem}`], entry.file)
  }
  const at = path.indexOf(entry)
  if (at >= 0) reject(`not form a cycle, found ${toArrows(chain.slice(at))}`)
  const { extends: names = [] } = entry.scenario.fields
  for (const name of [names].flat()) {
    const origin = path.length === 0 ? '' : ` in ${toArrows(chain)}`
    const hint = () => `${describeValue(name)}${origin}${suggestName(name, [...known.keys()])}`
    const parent = known.get(name) ?? reject(`name known scenarios, found ${hint()}`)
    addInOrder(ordered, parent, known, chain)
  }
  ordered.add(entry)
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
