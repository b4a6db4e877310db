import { suggestName } from '../validation/nearest-name.js'
import { describeValue } from '../validation/validate.js'
import type { WorldSeed } from '../world/seed.js'
import { builtInScenarios } from './built-in.js'
import { type ScenarioEntry, type ScenarioFile, toAddedEntry, toBuiltInEntry } from './entry.js'
import { createLineage, type Lineage } from './lineage.js'
import { mergeScenarios } from './merge.js'
import { fillMerged, prepareScenario } from './prepare.js'
import { ScenarioError } from './scenario-error.js'
import type { FilledScenario, Scenario } from './schema.js'

/** A scenario by name, as an object, or several of both, which are merged. */
export type ScenarioSource = string | Scenario | readonly (string | Scenario)[]

/** What a list of scenarios shows of one. */
export interface ScenarioSummary {
  readonly name: string
  readonly description: string
  /** Where it came from; `built-in` for those that come with the sandbox. */
  readonly source: string
}

type Entries = ReadonlyMap<string, ScenarioEntry>

/** The scenarios that a sandbox knows by name: the built-in ones, and those that were added. */
export class ScenarioLibrary {
  readonly #builtIn: Entries = toEntries(builtInScenarios.map(toBuiltInEntry))
  #entries: Entries = this.#builtIn
  readonly #prepared = new Map<string, Promise<WorldSeed>>()
  readonly #sources = new WeakMap<WorldSeed, ScenarioSource>()

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
   * Adds a scenario, or replaces the one of its name. What it extends may be added later.
   *
   * @returns Its name.
   * @throws {ScenarioError} When it does not fit the schema of a scenario file.
   */
  add(file: unknown, source: string): string {
    const entry = toAddedEntry({ file, source })
    this.#change(toEntries([...this.#entries.values(), entry]))
    return entry.name
  }

  /**
   * Replaces all scenarios that were added by the given ones: all of them, or none when one does
   * not fit.
   *
   * @throws {ScenarioError} When one does not fit, alone or with what it extends.
   */
  replaceAdded(files: readonly ScenarioFile[]): void {
    const added = files.map(toAddedEntry)
    refuseSameNames(added)
    const entries = toEntries([...this.#builtIn.values(), ...added])
    for (const entry of added) fillHeads([entry], entries)
    this.#change(entries)
  }

  /**
   * Makes all that a world starts from. What is made for a name is kept until the library changes.
   *
   * @throws {ScenarioError} When a name is not known, or what it stands for does not fit.
   */
  async prepare(source: ScenarioSource): Promise<WorldSeed> {
    const parts = isList(source) ? source : [source]
    const [name] = parts
    // Of combinations there are too many to keep.
    if (parts.length !== 1 || typeof name !== 'string') return this.#make(parts)
    const kept = this.#prepared.get(name) ?? this.#make(parts)
    this.#prepared.set(name, kept)
    // A failure is not kept: the names in the message may be known the next time.
    kept.catch(() => this.#prepared.delete(name))
    return kept
  }

  /** What a seed was prepared from: names, and scenarios as they were authored. */
  sourceOf(seed: WorldSeed): ScenarioSource | undefined {
    return this.#sources.get(seed)
  }

  async #make(parts: readonly (string | Scenario)[]): Promise<WorldSeed> {
    const heads = parts.map((part) => this.#toEntry(part))
    const name = toJoinedName(heads)
    const seed = await prepareScenario(fillHeads(heads, this.#entries), name, toSource(heads))
    const source = heads.map((head, index) =>
      typeof parts[index] === 'string' ? head.name : head.read(),
    )
    this.#sources.set(seed, source)
    return seed
  }

  #toEntry(part: string | Scenario): ScenarioEntry {
    if (typeof part !== 'string') return toAddedEntry({ file: part, source: 'scenario object' })
    const entry = this.#entries.get(part)
    if (entry) return entry
    throw new ScenarioError('scenario', [
      `must be one that is known, found ${describeValue(part)}${suggestName(part, this.names())}`,
    ])
  }

  #change(entries: Entries): void {
    this.#entries = entries
    this.#prepared.clear()
  }
}

/** Merges the given scenarios with all that they extend and fills in every default. */
function fillHeads(heads: readonly ScenarioEntry[], entries: Entries): FilledScenario {
  const source = toSource(heads)
  if (heads.length === 0) throw new ScenarioError(source, ['must be at least one, found none'])
  const found = new Map<ScenarioEntry, Lineage>()
  const lineages = heads.map((head) => createLineage(head, entries, found))
  return fillMerged(mergeScenarios(lineages, source), source)
}

/** By name; of two with one name the later one, in the place of the first. */
function toEntries(entries: readonly ScenarioEntry[]): Entries {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function refuseSameNames(entries: readonly ScenarioEntry[]): void {
  const sources = new Map<string, string>()
  for (const { name, source } of entries) {
    const other = sources.get(name)
    if (other !== undefined) {
      throw new ScenarioError(source, [`name must be of one file only, found ${name} in ${other}`])
    }
    sources.set(name, source)
  }
}

function toJoinedName(entries: readonly ScenarioEntry[]): string {
  return entries.map(({ name }) => name).join('+')
}

function toSource(entries: readonly ScenarioEntry[]): string {
  const [first, ...others] = entries
  if (first && others.length === 0 && first.source !== 'built-in') return first.source
  return `scenario ${toJoinedName(entries)}`.trimEnd()
}

function isList(source: ScenarioSource): source is readonly (string | Scenario)[] {
  return Array.isArray(source)
}
