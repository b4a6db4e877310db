import { kindNames, type Records } from '../../service/records.js'
import type { KindName } from '../../service/schemas.js'
import type { ReadScenario, ScenarioLists } from './read.js'
import type { Scenario } from './schema.js'

/** One of the scenarios that a seed was prepared from: a name, or the content of an object. */
export type SeedPart = string | ObjectPart

interface ObjectPart extends ReadScenario {
  /** Number of entries of the lists that are not in `lists`, because the seed has their records. */
  readonly counts: { readonly [Name in KindName]?: number }
}

/** Returns what is retained of an object, without the lists that are in the seed. */
export function toObjectPart({ fields, lists }: ReadScenario, merged: ScenarioLists): ObjectPart {
  const rest = { ...lists }
  const counts: Record<string, number> = {}
  for (const name of kindNames) {
    const list = lists[name]
    if (list === undefined || list !== merged[name]) continue
    counts[name] = list.length
    delete rest[name]
  }
  return { fields, lists: rest, counts }
}

/** Returns the name, or a scenario with the same content as the object. */
export function toSource(part: SeedPart, seed: Records): string | Scenario {
  if (typeof part === 'string') return part
  const { fields, lists, counts } = part
  const restored: Record<string, unknown> = {}
  // The records of the seed begin with those that the object lists. Of its messages, the seed has
  // those that a world retains.
  for (const name of kindNames) {
    if (counts[name] !== undefined) restored[name] = seed[name].slice(0, counts[name])
  }
  return { ...fields, ...lists, ...restored }
}
