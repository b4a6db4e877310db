import bannedKey from '../../../scenarios/banned-key.json' with { type: 'json' }
import dailyQuotaSpent from '../../../scenarios/daily-quota-spent.json' with { type: 'json' }
import default_ from '../../../scenarios/default.json' with { type: 'json' }
import emptyStore from '../../../scenarios/empty-store.json' with { type: 'json' }
import flaky from '../../../scenarios/flaky.json' with { type: 'json' }
import gentleLimit from '../../../scenarios/gentle-limit.json' with { type: 'json' }
import int64Ids from '../../../scenarios/int64-ids.json' with { type: 'json' }
import largeCatalogue from '../../../scenarios/large-catalogue.json' with { type: 'json' }
import lowStock from '../../../scenarios/low-stock.json' with { type: 'json' }
import nearlyLimited from '../../../scenarios/nearly-limited.json' with { type: 'json' }
import rateLimited from '../../../scenarios/rate-limited.json' with { type: 'json' }
import realistic from '../../../scenarios/realistic.json' with { type: 'json' }
import slow from '../../../scenarios/slow.json' with { type: 'json' }
import sunsetPassed from '../../../scenarios/sunset-passed.json' with { type: 'json' }
import sunsetSoon from '../../../scenarios/sunset-soon.json' with { type: 'json' }
import { passTurn } from '../../service/timers.js'
import { truncate } from '../../service/validation/message.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { describeValue } from '../../service/validation/validate.js'
import type { WorldSeed } from '../seed.js'
import { ScenarioError } from './error.js'
import { mergeScenarios, type ScenarioEntry, type ScenarioOrigin } from './merge.js'
import { checkQuotaTimes, fillScenario, prepareScenario, type RecentRecords } from './prepare.js'
import { type ReadScenario, readScenario, readValidScenario } from './read.js'
import { maximumScenarios, type Scenario, type ScenarioSummary } from './schema.js'
import type { AnyScenarioSource, ScenarioInput } from './source.js'

/** The built-in scenario files. They are valid, as `readValidScenario` requires. */
export const builtInScenarios = [
  default_,
  emptyStore,
  lowStock,
  largeCatalogue,
  int64Ids,
  nearlyLimited,
  rateLimited,
  gentleLimit,
  dailyQuotaSpent,
  bannedKey,
  sunsetSoon,
  sunsetPassed,
  flaky,
  slow,
  realistic,
] as readonly (Scenario & { readonly description: string })[] // a test checks it

/** The JSON of a scenario file. */
export interface ScenarioFile {
  readonly file: unknown
  /** Path or other origin of the file, for messages. */
  readonly source: string
}

type Entries = ReadonlyMap<string, ScenarioEntry>
type Parts = readonly (string | ScenarioInput)[]

const builtInEntries: Entries = toEntries(
  builtInScenarios.map((scenario) => toEntry(readValidScenario(scenario))),
)

/** The seeds of built-in scenarios, prepared once in a process, and their records. */
const builtInSeeds = new Map<string, Promise<WorldSeed>>()
const builtInRecords: RecentRecords = []

/** The scenarios that a sandbox knows by name: built-in and added ones. */
export class ScenarioLibrary {
  #entries = builtInEntries
  /** The seeds of names. Libraries without added scenarios share them. */
  #prepared = builtInSeeds
  #records = builtInRecords

  names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  list(): ScenarioSummary[] {
    return Array.from(this.#entries.values(), ({ name, file, scenario }) => ({
      name,
      description: scenario.fields.description ?? '',
      source: file === undefined ? 'built-in' : 'file',
    }))
  }

  /**
   * Returns the path or other origin of an added scenario. Undefined for a built-in or unknown one.
   * Clients must not receive it.
   */
  fileOf(name: string): string | undefined {
    return this.#entries.get(name)?.file
  }

  /**
   * Adds a scenario, or replaces the one with the same name. The scenarios that it extends can be
   * added later.
   *
   * @returns The name of the scenario.
   * @throws {ScenarioError} If the scenario is invalid.
   */
  add(file: unknown, source: string): string {
    const entry = toFileEntry({ file, source })
    this.#replaceEntries(toEntries([...this.#entries.values(), entry]))
    return entry.name
  }

  /**
   * Replaces all added scenarios. If one of the given scenarios is invalid, nothing changes.
   *
   * @throws {ScenarioError} If a scenario is invalid, alone or merged with the scenarios that it extends.
   */
  replaceAdded(files: readonly ScenarioFile[]): void {
    const added = files.map(toFileEntry)
    // The user who starts the sandbox may see the paths of the files.
    const located = added.map((entry) => ({ ...entry, label: entry.file ?? entry.label }))
    const names = new Map<string, string>()
    for (const { name, label } of located) {
      const problem = `name must be unique, found ${name} in ${names.get(name)} too`
      if (names.has(name)) throw new ScenarioError(label, [problem])
      names.set(name, label)
    }
    const known = toEntries([...builtInEntries.values(), ...located])
    for (const entry of located) fillScenario(mergeScenarios([entry], known), entry)
    this.#replaceEntries(toEntries([...builtInEntries.values(), ...added]))
  }

  /**
   * Returns the initial state of a world. The result for a single name is cached until the library
   * changes. Other requests run while a large scenario is prepared; an object must not change
   * meanwhile.
   *
   * @param realMs Real time in milliseconds since the epoch. A scenario without `clock.now` starts
   *   at this time; without `realMs`, times that depend on the start are not checked.
   * @throws {ScenarioError} If a name is unknown, the merged scenario is invalid, or there are more
   *   than 16.
   */
  async prepare(source: AnyScenarioSource, realMs?: number): Promise<WorldSeed> {
    const parts: Parts = [source].flat()
    const [name] = parts
    const isName = parts.length === 1 && typeof name === 'string'
    const seed = await (isName ? this.#prepareName(name) : this.#prepareParts(parts))
    if (realMs === undefined || seed.clock.now !== undefined) return seed
    const problems = checkQuotaTimes(seed, realMs)
    if (problems.length === 0) return seed
    throw new ScenarioError(`scenario ${truncate(seed.scenario)}`, problems)
  }

  /**
   * Returns the seed of a scenario that this package has stored. Does not validate it, which takes
   * longer than everything else.
   */
  prepareStored(scenario: Scenario, name: string): Promise<WorldSeed> {
    return this.#prepareEntries([toEntry(readValidScenario(scenario))], this.#entries, name)
  }

  #prepareName(name: string): Promise<WorldSeed> {
    const prepared = this.#prepared
    const seed = prepared.get(name) ?? this.#prepareParts([name])
    prepared.set(name, seed)
    // A failure is not cached: the scenarios that the message names can be added later.
    seed.catch(() => prepared.delete(name))
    return seed
  }

  /** @param known The scenarios at the time of the call: others may be added meanwhile. */
  async #prepareParts(parts: Parts, known = this.#entries): Promise<WorldSeed> {
    const { length } = parts
    if (length === 0 || length > maximumScenarios) {
      const wanted =
        length === 0 ? 'at least one scenario' : `at most ${maximumScenarios} scenarios`
      throw new ScenarioError('scenario', [`must be ${wanted}, found ${length || 'none'}`])
    }
    // The JSON of a large scenario may just have been parsed.
    await passTurn()
    const label = 'scenario object'
    const entries = parts.map((part) =>
      typeof part === 'string'
        ? findEntry(part, known)
        : toEntry(readScenario(part, label), { label }),
    )
    return this.#prepareEntries(entries, known)
  }

  async #prepareEntries(
    entries: readonly ScenarioEntry[],
    known: Entries,
    name = entries.map((entry) => entry.name).join('+'),
  ): Promise<WorldSeed> {
    const areKnown = entries.every((entry) => known.get(entry.name) === entry)
    const names = areKnown ? entries.map((entry) => entry.name) : undefined
    const [first, ...others] = entries
    const origin = first && others.length === 0 ? first : { label: `scenario ${truncate(name)}` }
    const filled = fillScenario(mergeScenarios(entries, known), origin)
    return prepareScenario(filled, origin, name, names, this.#records)
  }

  #replaceEntries(entries: Entries): void {
    this.#entries = entries
    this.#prepared = new Map()
    this.#records = []
  }
}

/** @throws {ScenarioError} If the scenario is invalid. */
function toFileEntry({ file, source }: ScenarioFile): ScenarioEntry {
  return toEntry(readScenario(file, source), { file: source })
}

function toEntry(scenario: ReadScenario, origin?: Partial<ScenarioOrigin>): ScenarioEntry {
  const { name } = scenario.fields
  return { name, label: `scenario ${name}`, scenario, ...origin }
}

/** @throws {ScenarioError} If there is no scenario with this name. */
function findEntry(name: string, known: Entries): ScenarioEntry {
  const entry = known.get(name)
  if (entry) return entry
  const found = `${describeValue(name)}${suggestName(name, [...known.keys()])}`
  throw new ScenarioError('scenario', [`must be the name of a known scenario, found ${found}`])
}

/** Later duplicates win and keep the position of the first. */
function toEntries(entries: readonly ScenarioEntry[]): Entries {
  return new Map(entries.map((entry) => [entry.name, entry]))
}
