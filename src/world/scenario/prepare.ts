import { listEntries } from '../../service/bounds.js'
import { freezeDeep } from '../../service/freeze.js'
import { isInt64 } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import { idOf, kindNames, type Records } from '../../service/records.js'
import { passTurn } from '../../service/timers.js'
import { truncate } from '../../service/validation/message.js'
import { findMisspeltName } from '../../service/validation/nearest-name.js'
import { toPath } from '../../service/validation/validate.js'
import { bytesOfShared, type SharedRecords, shareRecords } from '../database/database.js'
import { textBytes } from '../database/rows.js'
import { isSunsetTooEarly } from '../deprecation.js'
import { findLateTimes } from '../quota/settings.js'
import { createRules } from '../rules.js'
import type { WorldSeed } from '../seed.js'
import { ScenarioError } from './error.js'
import type { ScenarioOrigin } from './merge.js'
import { type FilledScenario, maximumKeys } from './schema.js'
import type { ScenarioInput } from './source.js'

/**
 * Checks the values of a merged scenario that depend on each other.
 *
 * @throws {ScenarioError} If the merged scenario is invalid.
 */
export function checkMerged(filled: FilledScenario, { label, file }: ScenarioOrigin): void {
  const { clock } = filled
  const startMs = clock.now === undefined ? undefined : Date.parse(clock.now)
  const problems = [
    ...checkQuota(filled),
    ...(startMs === undefined ? [] : checkQuotaTimes(filled, startMs)),
    ...checkGenerate(filled),
    ...checkDeprecation(filled, startMs),
    ...checkBounds(filled),
  ]
  if (problems.length > 0) throw new ScenarioError(label, problems, file)
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

/** What a seed is prepared from. */
interface SeedOrigin extends ScenarioOrigin {
  /** Name of the scenario, or the merged names joined by `+`. */
  readonly name: string
  readonly names: WorldSeed['names']
}

/** The records of a scenario that consists of known ones. */
export interface KnownRecords {
  readonly filled: FilledScenario
  readonly records: SharedRecords
}

/** Maximum number of scenarios whose records are retained. */
const maximumKnown = 16

/**
 * Returns the initial state of a world. Loads the data generator only if the scenario uses it. Lets
 * other requests run while it prepares a large scenario.
 *
 * @param known The records of known scenarios, which those with the same records share. Newest first.
 * @throws {ScenarioError} If the id of a generated record would exceed 2^63−1.
 */
export async function prepareScenario(
  filled: FilledScenario,
  origin: SeedOrigin,
  known: KnownRecords[],
): Promise<WorldSeed> {
  const found = known.find((other) => hasSameRecords(other.filled, filled))
  if (found) return createSeed(filled, origin, found.records)
  const counts = [filled.pets.length, filled.orders.length, ...Object.values(filled.generate)]
  const isLong = counts.reduce((sum, count) => sum + count) >= largeCount
  if (isLong) await passTurn()
  const generated = await generateMissing(filled, origin)
  if (isLong) await passTurn()
  const records = await shareRecords(generated)
  // Scenarios of clients must not occupy memory after their worlds.
  if (origin.names) known.unshift({ filled, records })
  known.splice(maximumKnown)
  return createSeed(filled, origin, records)
}

function hasSameRecords(one: FilledScenario, other: FilledScenario): boolean {
  const hasSameLists = kindNames.every(
    (kind) => one[kind] === other[kind] || one[kind].length + other[kind].length === 0,
  )
  const isSameGenerated =
    one.generate.pets === other.generate.pets &&
    one.generate.orders === other.generate.orders &&
    one.seed === other.seed &&
    one.clock.now === other.clock.now
  return hasSameLists && (isSameGenerated || !(isGenerated(one) || isGenerated(other)))
}

/** Whether a scenario has records that are generated. */
function isGenerated({ generate }: FilledScenario): boolean {
  return generate.pets + generate.orders > 0
}

/** Number of records of a large scenario. */
const largeCount = 1_000

/** Whether reading a scenario takes some time. An object may be invalid. */
export function isLarge(part: string | ScenarioInput): boolean {
  const { pets, orders } = typeof part === 'object' && part !== null ? part : {}
  return [pets, orders].some((list) => Array.isArray(list) && list.length >= largeCount)
}

/** Returns the listed records and those that the scenario requests under `generate`. */
async function generateMissing(filled: FilledScenario, origin: SeedOrigin): Promise<Records> {
  if (!isGenerated(filled)) return filled
  const ids = {
    pets: createIds('pets', filled, origin),
    orders: createIds('orders', filled, origin),
  }
  const { generateRecords } = await import('./generate.js')
  const generated = generateRecords(filled, ids)
  return {
    ...filled,
    pets: [...filled.pets, ...generated.pets],
    orders: [...filled.orders, ...generated.orders],
  }
}

/**
 * Returns the ids of the records to generate. They start after the largest listed id.
 *
 * @throws {ScenarioError} If an id would exceed 2^63−1.
 */
function createIds(
  kind: 'pets' | 'orders',
  filled: FilledScenario,
  { label, file }: SeedOrigin,
): string[] {
  const count = filled.generate[kind]
  let largest = 0n
  for (const record of filled[kind]) {
    const id = BigInt(idOf(kind, record))
    if (id > largest) largest = id
  }
  const ids = Array.from({ length: count }, (_, index) => String(largest + BigInt(index + 1)))
  if (ids.every(isInt64)) return ids
  const problem = `generate must result in ids below 2^63, found ${count} ids after ${largest}`
  throw new ScenarioError(label, [problem], file)
}

/** Heap of an empty seed: its objects, the schema of its rules and the models of its records. */
const seedBytes = 12_000

function createSeed(filled: FilledScenario, origin: SeedOrigin, records: SharedRecords): WorldSeed {
  // Worlds share them.
  const settings = freezeDeep({
    scenario: origin.name,
    seed: filled.seed,
    draws: filled.draws,
    clock: filled.clock,
    plans: filled.plans,
    apiKeys: Object.fromEntries(filled.apiKeys.map(({ key, plan }) => [key, plan])),
    quota: filled.quota,
    deprecation: filled.deprecation,
    faults: filled.faults,
  })
  return Object.freeze({
    ...settings,
    rules: freezeDeep(createRules(filled.rules)),
    records,
    names: origin.names,
    bytes: seedBytes + textBytes(JSON.stringify(settings)) + bytesOfShared(records),
  })
}

/** Each key of `quota` must be a plan, a key of `apiKeys`, or `*`. */
function checkQuota({ quota, apiKeys }: FilledScenario): string[] {
  const { length } = Object.keys(quota)
  if (length > maximumKeys) {
    return [`quota must be an object of at most ${maximumKeys} entries, found ${length}`]
  }
  const known = new Set<string>(['*', ...planIds, ...apiKeys.map(({ key }) => key)])
  const unknown = Object.keys(quota).filter((selector) => !known.has(selector))
  return unknown.map((selector) => {
    const nearest = findMisspeltName(selector, planIds)
    const hint = nearest === undefined ? ',' : `; did you mean "${nearest}"?`
    const where = toPath(['quota', shorten(selector)])
    return `${where} is not a known name${hint} wanted ${planIds.join(', ')}, a key of apiKeys or *`
  })
}

/** The bounds can come from two scenarios. */
function checkBounds({ rules }: FilledScenario): string[] {
  const { minimum, maximum } = rules.quantity
  const wanted = 'an object whose minimum is at most its maximum'
  return minimum <= maximum ? [] : [`rules.quantity must be ${wanted}, found an object`]
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
  const wanted = `at or after deprecation.deprecatedAt, ${JSON.stringify(truncate(deprecatedAt))}`
  return [`deprecation.sunsetAt must be ${wanted}, found ${JSON.stringify(truncate(sunsetAt))}`]
}

/** Truncates an API key, which must not appear whole in a message. */
function shorten(selector: string): string {
  return selector.length > 12 ? `${selector.slice(0, 12)}…` : selector
}

/** Listed and generated records together must not exceed the maximum. */
function checkGenerate({ generate, pets, orders }: FilledScenario): string[] {
  const problems = Object.entries({ pets, orders }).flatMap(([list, listed]) => {
    const maximum = listEntries - listed.length
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
