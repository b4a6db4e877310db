import { suggestName } from '../validation/nearest-name.js'
import { SliceRunner } from '../validation/slices.js'
import { describeValue } from '../validation/validate.js'
import type { WorldSeed } from '../world/seed.js'
import { builtInScenarios } from './built-in.js'
import { ScenarioError } from './error.js'
import { mergeScenarios, type ScenarioEntry } from './merge.js'
import { checkStart, fillMerged, prepareScenario } from './prepare.js'
import { readScenario } from './read.js'
import type { FilledScenario, Scenario } from './schema.js'

/**
 * A scenario name, a scenario object, or an array of them. An array is merged from left to right: the
 * value of a later scenario wins.
 */
export type ScenarioSource = string | Scenario | readonly (string | Scenario)[]

/** The JSON of a scenario file. */
export interface ScenarioFile {
  readonly file: unknown
  /** Path or other origin of the file, for messages. */
  readonly source: string
}

/** Entry in the list of scenarios. */
export interface ScenarioSummary {
  readonly name: string
  readonly description: string
  /** Path or other origin; `built-in` for the built-in scenarios. */
  readonly source: string
}

/** A scenario of the library. */
interface LibraryEntry extends ScenarioSummary, ScenarioEntry {}

type Entries = ReadonlyMap<string, LibraryEntry>

/** The scenarios that a sandbox knows by name: built-in and added ones. */
export class ScenarioLibrary {
  readonly #builtIn: Entries = toEntries(builtInScenarios.map(toBuiltInEntry))
  #entries: Entries = this.#builtIn
  readonly #prepared = new Map<string, Promise<WorldSeed>>()
  readonly #sources = new WeakMap<WorldSeed, ScenarioSource>()

  constructor(readonly slices = new SliceRunner()) {}

  names(): string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  list(): ScenarioSummary[] {
    return Array.from(this.#entries.values(), ({ name, description, source }) => ({
      name,
      description,
      source,
    }))
  }

  /**
   * Adds a scenario, or replaces the one with the same name. The scenarios that it extends can be
   * added later.
   *
   * @returns The name of the scenario.
   * @throws {ScenarioError} If the scenario is invalid.
   */
  add(file: unknown, source: string): string {
    const entry = toAddedEntry({ file, source })
    this.#replaceEntries(toEntries([...this.#entries.values(), entry]))
    return entry.name
  }

  /**
   * Replaces all added scenarios. If one of the given scenarios is invalid, nothing changes.
   *
   * @throws {ScenarioError} If a scenario is invalid, alone or merged with the scenarios that it extends.
   */
  replaceAdded(files: readonly ScenarioFile[]): void {
    const added = files.map(toAddedEntry)
    rejectDuplicateNames(added)
    const entries = toEntries([...this.#builtIn.values(), ...added])
    for (const entry of added) mergeEntries([entry], entries)
    this.#replaceEntries(entries)
  }

  /**
   * Returns the initial state of a world. The result for a single name is cached until the library
   * changes.
   *
   * @param realMs Real time in milliseconds since the epoch. A scenario without `clock.now` starts
   *   at this time; without `realMs`, times that depend on the start are not checked.
   * @throws {ScenarioError} If a name is unknown, or the merged scenario is invalid.
   */
  async prepare(source: ScenarioSource, realMs?: number): Promise<WorldSeed> {
    const parts = isList(source) ? source : [source]
    const seed = await this.#findOrPrepare(parts)
    if (realMs !== undefined && seed.clock.now === undefined) {
      checkStart(seed, realMs, toSource(parts.map((part) => this.#toEntry(part))))
    }
    return seed
  }

  /** Returns the source that a seed was prepared from. */
  sourceOf(seed: WorldSeed): ScenarioSource | undefined {
    return this.#sources.get(seed)
  }

  #findOrPrepare(parts: readonly (string | Scenario)[]): Promise<WorldSeed> {
    const [name] = parts
    if (parts.length !== 1 || typeof name !== 'string') return this.#prepare(parts)
    const cached = this.#prepared.get(name) ?? this.#prepare(parts)
    this.#prepared.set(name, cached)
    // A failure is not cached: the scenarios that the message names can be added later.
    cached.catch(() => this.#prepared.delete(name))
    return cached
  }

  async #prepare(parts: readonly (string | Scenario)[]): Promise<WorldSeed> {
    const entries = parts.map((part) => this.#toEntry(part))
    const filled = mergeEntries(entries, this.#entries)
    const seed = await prepareScenario(filled, toJoinedName(entries), toSource(entries))
    const source = entries.map((entry, index) =>
      typeof parts[index] === 'string' ? entry.name : entry.read(),
    )
    this.#sources.set(seed, source)
    return seed
  }

  #toEntry(part: string | Scenario): LibraryEntry {
    if (typeof part !== 'string') return toAddedEntry({ file: part, source: 'scenario object' })
    const entry = this.#entries.get(part)
    if (entry) return entry
    const found = `${describeValue(part)}${suggestName(part, this.names())}`
    throw new ScenarioError('scenario', [`must be the name of a known scenario, found ${found}`])
  }

  #replaceEntries(entries: Entries): void {
    this.#entries = entries
    this.#prepared.clear()
  }
}

/** A built-in scenario is validated on first use. */
function toBuiltInEntry(file: { name: string; description: string }): LibraryEntry {
  let scenario: Scenario | undefined
  const source = 'built-in'
  const read = () => (scenario ??= readScenario(file, `${source} scenario ${file.name}`))
  return { name: file.name, description: file.description, source, read }
}

/** @throws {ScenarioError} If the scenario is invalid. */
function toAddedEntry({ file, source }: ScenarioFile): LibraryEntry {
  const scenario = readScenario(file, source)
  const { name, description = '' } = scenario
  return { name, description, source, read: () => scenario }
}

/** Merges scenarios and the scenarios that they extend, and fills in the defaults. */
function mergeEntries(entries: readonly LibraryEntry[], known: Entries): FilledScenario {
  const source = toSource(entries)
  if (entries.length === 0)
    throw new ScenarioError(source, ['must be at least one scenario, found none'])
  return fillMerged(mergeScenarios(entries, known), source)
}

/** Later duplicates win and keep the position of the first. */
function toEntries(entries: readonly LibraryEntry[]): Entries {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function rejectDuplicateNames(entries: readonly LibraryEntry[]): void {
  const sources = new Map<string, string>()
  for (const { name, source } of entries) {
    const other = sources.get(name)
    if (other !== undefined) {
      throw new ScenarioError(source, [`name must be unique, found ${name} in ${other} too`])
    }
    sources.set(name, source)
  }
}

function toJoinedName(entries: readonly LibraryEntry[]): string {
  return entries.map(({ name }) => name).join('+')
}

/** Describes the origin of merged scenarios, for messages. */
function toSource(entries: readonly LibraryEntry[]): string {
  const [first, ...others] = entries
  if (first && others.length === 0 && first.source !== 'built-in') return first.source
  return `scenario ${toJoinedName(entries)}`.trimEnd()
}

function isList(source: ScenarioSource): source is readonly (string | Scenario)[] {
  return Array.isArray(source)
}
