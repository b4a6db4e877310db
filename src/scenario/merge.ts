import { toPath } from '../validation/validate.js'
import { isEqualData } from './equal-data.js'
import type { Lineage } from './lineage.js'
import { isPlainObject } from './plain-data.js'
import { ScenarioError } from './scenario-error.js'
import type { Scenario } from './schema.js'

/** What scenarios state together; it has no name of its own. */
export type MergedScenario = Omit<Scenario, 'name' | 'description' | '$schema' | 'extends'>

/** One scenario's word on one value. */
interface Claim {
  readonly by: Lineage
  readonly value: unknown
}

/**
 * Merges scenarios and all that they extend. Objects merge key by key; a list, a scalar, a
 * rate-limit window and a ban are one value each. Of two scenarios that state a value, the one
 * that extends the other wins.
 *
 * @param source What is merged, for messages.
 * @throws {ScenarioError} When two scenarios, neither of which extends the other, state different
 *   values and none that extends both settles it.
 */
export function mergeScenarios(heads: readonly Lineage[], source: string): MergedScenario {
  const ancestors = collectAncestors(heads)
  const conflicts: string[] = []
  const claims = [...ancestors.keys()].map((by) => ({ by, value: toInheritable(by.stated) }))
  const merged = mergeValues([], claims)
  if (conflicts.length > 0) throw new ScenarioError(source, conflicts)
  return merged as MergedScenario // made of nothing but the fields of scenarios

  function mergeValues(path: readonly string[], values: readonly Claim[]): unknown {
    if (isMergedByKey(path, values)) return mergeByKey(path, values)
    const standing = values.filter(({ by }) => !values.some((other) => isExtending(other.by, by)))
    const [first, ...others] = standing
    const rival = others.find((claim) => !isEqualData(claim.value, first?.value))
    if (first && rival) conflicts.push(describeConflict(path, first, rival))
    return first?.value
  }

  function mergeByKey(path: readonly string[], values: readonly Claim[]): unknown {
    const byKey = new Map<string, Claim[]>()
    for (const { by, value } of values) {
      for (const [key, field] of isPlainObject(value) ? Object.entries(value) : []) {
        byKey.set(key, [...(byKey.get(key) ?? []), { by, value: field }])
      }
    }
    const fields = Array.from(byKey, ([key, of]) => [key, mergeValues([...path, key], of)] as const)
    return Object.fromEntries(fields)
  }

  function isExtending(child: Lineage, parent: Lineage): boolean {
    return ancestors.get(child)?.has(parent) ?? false
  }
}

/** Every scenario at hand, parents first, with all that it extends. */
function collectAncestors(heads: readonly Lineage[]): Map<Lineage, ReadonlySet<Lineage>> {
  const ancestors = new Map<Lineage, ReadonlySet<Lineage>>()
  for (const head of heads) visit(head)
  return ancestors

  function visit(lineage: Lineage): ReadonlySet<Lineage> {
    const known = ancestors.get(lineage)
    if (known) return known
    const own = new Set(lineage.parents.flatMap((parent) => [parent, ...visit(parent)]))
    ancestors.set(lineage, own)
    return own
  }
}

function toInheritable(stated: Scenario): MergedScenario {
  const { name: _, description: __, $schema: ___, extends: ____, ...rest } = stated
  return rest
}

/** A window and a ban under `quota.<key>` are one value: half of one means nothing. */
function isMergedByKey(path: readonly string[], values: readonly Claim[]): boolean {
  if (path[0] === 'quota' && path.length === 3) return false
  return values.every(({ value }) => isPlainObject(value))
}

function describeConflict(path: readonly string[], first: Claim, rival: Claim): string {
  const values = `${toShortText(first.value)} in ${first.by.name} and ${toShortText(rival.value)} in ${rival.by.name}`
  return `${toPath(path)} must be one value, found ${values}; state it in a scenario that extends both`
}

function toShortText(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
