import { planIds } from '../contract/plans.js'
import { describeValue } from '../validation/validate.js'
import { createRules } from '../world/rules.js'
import type { WorldSeed } from '../world/seed.js'
import type { MergedScenario } from './merge.js'
import { maximumEntries } from './plain-data.js'
import { fillScenario } from './read.js'
import { ScenarioError } from './scenario-error.js'
import type { FilledScenario } from './schema.js'

/**
 * Fills in every default of a merged scenario and checks what only shows once it is merged.
 *
 * @throws {ScenarioError} When the parts do not fit together.
 */
export function fillMerged(merged: MergedScenario, source: string): FilledScenario {
  const filled = fillScenario({ ...merged, name: 'merged' }, source)
  const problems = [...checkQuota(filled), ...checkGenerate(filled)]
  if (problems.length > 0) throw new ScenarioError(source, problems)
  return filled
}

/**
 * Makes all that a world starts from; loads the generator of data only when it is asked for.
 *
 * @param name Name of the scenario, or the names that were merged.
 */
export async function prepareScenario(
  filled: FilledScenario,
  name: string,
  source: string,
): Promise<WorldSeed> {
  const { pets, orders } = filled.generate
  if (pets === 0 && orders === 0) return toWorldSeed(filled, name)
  const { generateRecords } = await import('./generate.js')
  const made = generateRecords(filled, source)
  return toWorldSeed(
    {
      ...filled,
      pets: [...filled.pets, ...made.pets],
      orders: [...filled.orders, ...made.orders],
    },
    name,
  )
}

function toWorldSeed(filled: FilledScenario, name: string): WorldSeed {
  return {
    scenario: name,
    seed: filled.seed,
    draws: filled.draws,
    clock: filled.clock,
    plans: filled.plans,
    apiKeys: Object.fromEntries(filled.apiKeys.map(({ key, plan }) => [key, plan])),
    pets: filled.pets,
    orders: filled.orders,
    messages: filled.messages,
    quota: filled.quota,
    deprecation: filled.deprecation,
    faults: filled.faults,
    rules: createRules(filled.rules),
  }
}

/** Every quota belongs to a plan's key, to a key of the scenario, or to all others. */
function checkQuota({ quota, apiKeys }: FilledScenario): string[] {
  const known = new Set<string>(['*', ...planIds, ...apiKeys.map(({ key }) => key)])
  const unknown = Object.keys(quota).filter((selector) => !known.has(selector))
  return unknown.map((selector) => {
    const shown = selector.length > 12 ? `${selector.slice(0, 12)}…` : selector
    return `quota must name ${planIds.join(', ')}, a key of apiKeys or *, found ${describeValue(shown)}`
  })
}

/** Listed and generated records together stay within what a list may have. */
function checkGenerate({ generate, pets, orders }: FilledScenario): string[] {
  const problems = Object.entries({ pets, orders }).flatMap(([things, listed]) => {
    const most = maximumEntries - listed.length
    const found = things === 'pets' ? generate.pets : generate.orders
    return found > most
      ? [`generate.${things} must be at most ${most} beside the listed ones, found ${found}`]
      : []
  })
  if (generate.orders > 0 && pets.length + generate.pets === 0) {
    problems.push(`generate.orders must be 0 without pets, found ${generate.orders}`)
  }
  return problems
}
