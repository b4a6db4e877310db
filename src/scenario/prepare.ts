import { planIds } from '../contract/plans.js'
import { describeValue, toPath } from '../validation/validate.js'
import { isSunsetTooEarly } from '../world/deprecation.js'
import { findLateTimes } from '../world/quota/schema.js'
import { createRules } from '../world/rules.js'
import type { WorldSeed } from '../world/seed.js'
import { ScenarioError } from './error.js'
import type { MergedScenario } from './merge.js'
import { fillScenario } from './read.js'
import { type FilledScenario, maximumEntries } from './schema.js'

/**
 * Fills in the defaults of a merged scenario and checks the values that depend on each other.
 *
 * @throws {ScenarioError} If the merged scenario is invalid.
 */
export function fillMerged(merged: MergedScenario, source: string): FilledScenario {
  const filled = fillScenario({ ...merged, name: 'merged' }, source)
  const { clock } = filled
  const startMs = clock.now === undefined ? undefined : Date.parse(clock.now)
  const problems = [
    ...checkQuota(filled),
    ...(startMs === undefined ? [] : checkQuotaTimes(filled, startMs)),
    ...checkGenerate(filled),
    ...checkDeprecation(filled, startMs),
  ]
  if (problems.length > 0) throw new ScenarioError(source, problems)
  return filled
}

/**
 * Checks the values of a scenario that depend on the start of its world.
 *
 * @param startMs Start of the world, in milliseconds since the epoch.
 * @throws {ScenarioError} If a window resets too late, or a ban starts too late.
 */
export function checkStart(seed: WorldSeed, startMs: number, source: string): void {
  const problems = checkQuotaTimes(seed, startMs)
  if (problems.length > 0) throw new ScenarioError(source, problems)
}

/**
 * Returns the initial state of a world. Loads the data generator only if the scenario uses it.
 *
 * @param name Name of the scenario, or the merged names joined by `+`.
 */
export async function prepareScenario(
  filled: FilledScenario,
  name: string,
  source: string,
): Promise<WorldSeed> {
  const { pets, orders } = filled.generate
  if (pets === 0 && orders === 0) return toWorldSeed(filled, name)
  const { generateRecords } = await import('./generate.js')
  const generated = generateRecords(filled, source)
  return toWorldSeed(
    {
      ...filled,
      pets: [...filled.pets, ...generated.pets],
      orders: [...filled.orders, ...generated.orders],
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

/** Each key of `quota` must be a plan, a key of `apiKeys`, or `*`. */
function checkQuota({ quota, apiKeys }: FilledScenario): string[] {
  const known = new Set<string>(['*', ...planIds, ...apiKeys.map(({ key }) => key)])
  const unknown = Object.keys(quota).filter((selector) => !known.has(selector))
  return unknown.map((selector) => {
    const found = describeValue(shorten(selector))
    return `quota must name ${planIds.join(', ')}, a key of apiKeys or *, found ${found}`
  })
}

/** Windows and bans must have started when the world starts. */
function checkQuotaTimes({ quota }: Pick<WorldSeed, 'quota'>, startMs: number): string[] {
  return Object.entries(quota).flatMap(([selector, settings]) =>
    findLateTimes(settings, startMs).map(
      (problem) => `${toPath(['quota', shorten(selector)])}.${problem}`,
    ),
  )
}

/** RFC 9745, section 4: the sunset must not be before the deprecation. */
function checkDeprecation({ deprecation }: FilledScenario, startMs: number | undefined): string[] {
  if (!isSunsetTooEarly(deprecation, startMs)) return []
  const { deprecatedAt, sunsetAt } = deprecation
  const wanted = `at or after deprecation.deprecatedAt, ${JSON.stringify(deprecatedAt)}`
  return [`deprecation.sunsetAt must be ${wanted}, found ${JSON.stringify(sunsetAt)}`]
}

/** Truncates an API key, which must not appear whole in a message. */
function shorten(selector: string): string {
  return selector.length > 12 ? `${selector.slice(0, 12)}…` : selector
}

/** Listed and generated records together must not exceed the maximum. */
function checkGenerate({ generate, pets, orders }: FilledScenario): string[] {
  const problems = Object.entries({ pets, orders }).flatMap(([list, listed]) => {
    const maximum = maximumEntries - listed.length
    const found = list === 'pets' ? generate.pets : generate.orders
    return found > maximum
      ? [
          `generate.${list} must be at most ${maximum} in addition to the listed ones, found ${found}`,
        ]
      : []
  })
  if (generate.orders > 0 && pets.length + generate.pets === 0) {
    problems.push(`generate.orders must be 0 without pets, found ${generate.orders}`)
  }
  return problems
}
