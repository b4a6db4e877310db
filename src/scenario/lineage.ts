import { suggestName } from '../validation/nearest-name.js'
import { describeValue } from '../validation/validate.js'
import type { ScenarioEntry } from './entry.js'
import { ScenarioError } from './scenario-error.js'
import type { Scenario } from './schema.js'

/** A scenario with the ones that it extends. */
export interface Lineage {
  readonly name: string
  readonly stated: Scenario
  readonly parents: readonly Lineage[]
}

const longestChain = 64

/**
 * Finds every scenario that one extends, directly or through others. One that is reached on two
 * ways is the same object both times.
 *
 * @throws {ScenarioError} When one is not known, or extends itself.
 */
export function createLineage(
  entry: ScenarioEntry,
  entries: ReadonlyMap<string, ScenarioEntry>,
  found = new Map<ScenarioEntry, Lineage>(),
  chain: readonly ScenarioEntry[] = [],
): Lineage {
  const known = found.get(entry)
  if (known) return known
  refuseCycle(entry, chain)
  const stated = entry.read()
  const parents = toNames(stated.extends).map((name) => {
    const parent = entries.get(name)
    if (parent) return createLineage(parent, entries, found, [...chain, entry])
    const names = [...entries.keys()]
    throw new ScenarioError(entry.source, [
      `extends must name scenarios that are known, found ${describeValue(name)}${toChainNote([...chain, entry])}${suggestName(name, names)}`,
    ])
  })
  const lineage = { name: entry.name, stated, parents }
  found.set(entry, lineage)
  return lineage
}

function toNames(names: Scenario['extends']): readonly string[] {
  return typeof names === 'string' ? [names] : (names ?? [])
}

function refuseCycle(entry: ScenarioEntry, chain: readonly ScenarioEntry[]): void {
  const start = chain.indexOf(entry)
  if (start >= 0) {
    const names = [...chain.slice(start), entry].map(({ name }) => name).join(' -> ')
    throw new ScenarioError(entry.source, [`extends must not lead back to itself, found ${names}`])
  }
  if (chain.length >= longestChain) {
    throw new ScenarioError(entry.source, [
      `extends must go over at most ${longestChain} scenarios`,
    ])
  }
}

function toChainNote(chain: readonly ScenarioEntry[]): string {
  if (chain.length < 2) return ''
  return `, reached by ${chain.map(({ name }) => name).join(' -> ')}`
}
