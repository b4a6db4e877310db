import { listEntries } from '../../service/bounds.js'
import { isInt64 } from '../../service/int64.js'
import { planIds } from '../../service/plans.js'
import { idOf, kindNames, type Records } from '../../service/records.js'
import { passTurn } from '../../service/timers.js'
import { truncate } from '../../service/validation/message.js'
import { findMisspeltName } from '../../service/validation/nearest-name.js'
import { toPath, validate } from '../../service/validation/validate.js'
import { type SharedRecords, shareRecords } from '../database/database.js'
import { textBytes } from '../database/rows.js'
import { isSunsetTooEarly } from '../deprecation.js'
import { freezeDeep } from '../freeze.js'
import { findLateTimes } from '../quota/settings.js'
import { createRules } from '../rules.js'
import type { WorldSeed } from '../seed.js'
import { ScenarioError } from './error.js'
import type { ScenarioOrigin } from './merge.js'
import { type ReadScenario, toProblems } from './read.js'
import { type FilledScenario, maximumKeys, scenarioSchema } from './schema.js'

/**
 * Fills in the defaults of a merged scenario, and checks the values that depend on each other.
 *
 * @throws {ScenarioError} If the merged scenario is invalid.
 */
export function fillScenario(
  { fields, lists }: ReadScenario,
  { label, file }: ScenarioOrigin,
): FilledScenario {
  const result = validate(scenarioSchema, fields)
  if (!result.ok) throw new ScenarioError(label, toProblems(result.mismatches), file)
  const filled = { ...result.value, ...lists }
  const { now } = filled.clock
  const startMs = now === undefined ? undefined : Date.parse(now)
  const problems = [
    ...checkQuota(filled),
    ...(startMs === undefined ? [] : checkQuotaTimes(filled, startMs)),
    ...checkGenerate(filled),
    ...checkDeprecation(filled, startMs),
  ]
  if (problems.length > 0) throw new ScenarioError(label, problems, file)
  return filled
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
    return `${toQuotaPath(selector)} is not a known name${hint} wanted ${planIds.join(', ')}, a key of apiKeys or *`
  })
}

/**
 * Windows and bans must have started when the world starts.
 *
 * @param startMs Start of the world, in milliseconds since the epoch.
 */
export function checkQuotaTimes({ quota }: Pick<WorldSeed, 'quota'>, startMs: number): string[] {
  return Object.entries(quota).flatMap(([selector, settings]) =>
    findLateTimes(settings, startMs).map((problem) => `${toQuotaPath(selector)}.${problem}`),
  )
}

/** Truncates an API key, which must not appear whole in a message. */
function toQuotaPath(selector: string): string {
  return toPath(['quota', selector.length > 12 ? `${selector.slice(0, 12)}…` : selector])
}

/** Listed and generated records together must not exceed the maximum. */
function checkGenerate({ generate, pets, orders }: FilledScenario): string[] {
  const problems: string[] = []
  for (const [list, { length }] of Object.entries({ pets, orders })) {
    const found = generate[list as keyof typeof generate] // a key of the literal
    const maximum = listEntries - length
    if (found <= maximum) continue
    const wanted = `at most ${maximum} in addition to the listed ones`
    problems.push(`generate.${list} must be ${wanted}, found ${found}`)
  }
  if (generate.orders > 0 && pets.length + generate.pets === 0) {
    problems.push(`generate.orders must be 0 without pets, found ${generate.orders}`)
  }
  return problems
}

/** RFC 9745, section 4: the sunset must not be before the deprecation. */
function checkDeprecation({ deprecation }: FilledScenario, startMs: number | undefined): string[] {
  if (!isSunsetTooEarly(deprecation, startMs)) return []
  const { deprecatedAt, sunsetAt } = deprecation
  const wanted = `at or after deprecation.deprecatedAt, ${JSON.stringify(truncate(deprecatedAt))}`
  return [`deprecation.sunsetAt must be ${wanted}, found ${JSON.stringify(truncate(sunsetAt))}`]
}

/** Heap of an empty seed: its objects, the schema of its rules and the models of its records. */
const seedBytes = 12_000

/**
 * Returns the initial state of a world. Lets other requests run while it prepares a large scenario.
 *
 * @param name Name of the scenario, or the merged names joined by `+`.
 * @param recent Receives the records if all scenarios are known.
 * @throws {ScenarioError} If the id of a generated record would exceed 2^63−1.
 */
export async function prepareScenario(
  filled: FilledScenario,
  origin: ScenarioOrigin,
  name: string,
  names: WorldSeed['names'],
  recent: RecentRecords,
): Promise<WorldSeed> {
  // Scenarios of clients must not occupy memory after their worlds.
  const records = await prepareRecords(filled, origin, names !== undefined, recent)
  const { seed, draws, clock, plans, quota, deprecation, faults } = filled
  const apiKeys = Object.fromEntries(filled.apiKeys.map(({ key, plan }) => [key, plan]))
  // Worlds share them.
  const settings = freezeDeep({ seed, draws, clock, plans, apiKeys, quota, deprecation, faults })
  const recordBytes = Object.values(records).reduce((sum, { bytes }) => sum + bytes, 0)
  return Object.freeze({
    scenario: name,
    ...settings,
    rules: createRules(filled.rules),
    records,
    names,
    isShared: names?.length === 1,
    bytes: seedBytes + textBytes(JSON.stringify(settings)) + recordBytes,
  })
}

/** The records of the latest known scenarios, newest first. Equal records are shared. */
export type RecentRecords = { readonly filled: FilledScenario; readonly records: SharedRecords }[]
const maximumRecent = 16

async function prepareRecords(
  filled: FilledScenario,
  origin: ScenarioOrigin,
  isRetained: boolean,
  recent: RecentRecords,
): Promise<SharedRecords> {
  const found = recent.find((other) => hasSameRecords(other.filled, filled))
  if (found) return found.records
  const listed = await generateMissing(filled, origin)
  await passTurn()
  const records = await shareRecords(listed)
  if (isRetained) recent.unshift({ filled, records })
  recent.splice(maximumRecent)
  return records
}

function hasSameRecords(one: FilledScenario, other: FilledScenario): boolean {
  const hasSameLists = kindNames.every(
    (kind) => one[kind] === other[kind] || one[kind].length + other[kind].length === 0,
  )
  return hasSameLists && describeGenerated(one) === describeGenerated(other)
}

/** Returns the settings that determine the generated records; empty if there are none. */
function describeGenerated({ generate, seed, clock }: FilledScenario): string {
  return generate.pets + generate.orders > 0 ? JSON.stringify([generate, seed, clock.now]) : ''
}

/**
 * Returns the listed records and the records that `generate` requests. Loads the data generator only if
 * the scenario uses it.
 */
async function generateMissing(filled: FilledScenario, origin: ScenarioOrigin): Promise<Records> {
  if (describeGenerated(filled) === '') return filled
  const ids = {
    pets: createIds('pets', filled, origin),
    orders: createIds('orders', filled, origin),
  }
  const { generateRecords } = await import('./generate.js')
  const { pets, orders } = generateRecords(filled, ids)
  return { ...filled, pets: [...filled.pets, ...pets], orders: [...filled.orders, ...orders] }
}

/**
 * Returns the ids of the records to generate. They start after the largest listed id.
 *
 * @throws {ScenarioError} If an id would exceed 2^63−1.
 */
function createIds(
  kind: 'pets' | 'orders',
  filled: FilledScenario,
  { label, file }: ScenarioOrigin,
): string[] {
  const count = filled.generate[kind]
  let largest = 0n
  for (const record of filled[kind]) {
    const id = BigInt(idOf(kind, record))
    if (id > largest) largest = id
  }
  if (isInt64(String(largest + BigInt(count)))) {
    return Array.from({ length: count }, (_, index) => String(largest + BigInt(index + 1)))
  }
  const problem = `generate must result in ids below 2^63, found ${count} ids after ${largest}`
  throw new ScenarioError(label, [problem], file)
}
