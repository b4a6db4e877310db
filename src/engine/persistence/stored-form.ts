import type { World } from '../../control/world.js'
import { parseJson } from '../../service/json.js'
import type { Change } from '../../service/operations/operation.js'
import type { Store, StoredWorld } from '../../store/store.js'
import type { ChangeCounts, DatabaseChanges } from '../../world/database/database.js'
import type { FactState } from '../../world/journal/facts.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { toSeedDocument, toSeedId } from '../../world/scenario/snapshot.js'
import type { WorldSeed } from '../../world/seed.js'
import type { CurrentStep, WorldStart } from '../../world/world.js'
import { applyChanges, restoreState, type SmallState, type Step } from './step.js'

/** The seed of a stored world: the name of its scenario, and the id of a document or its whole content. */
export type SeedReference =
  | { readonly scenario: string; readonly document: string }
  | { readonly scenario: string; readonly content: Scenario }

/**
 * The seeds of stored worlds. The seeds of the scenario library are stored once for all worlds, as
 * documents. If a client sent the scenario, its seed is part of the world, and removed with it.
 */
export class StoredSeeds {
  /** The ids of the documents of seeds. */
  readonly #ids = new WeakMap<WorldSeed, string>()
  /** The seeds of documents. */
  readonly #seeds = new Map<string, WeakRef<WorldSeed>>()

  /** @param isShared Whether further worlds are likely to start from a seed. */
  constructor(
    readonly store: Store,
    readonly library: ScenarioLibrary,
    readonly isShared: (seed: WorldSeed) => boolean,
  ) {}

  /** Returns a reference to a seed. Stores the seed if necessary, also after the store has lost it. */
  async save(seed: WorldSeed): Promise<SeedReference> {
    const { scenario } = seed
    const known = this.#ids.get(seed)
    if (!known && !this.isShared(seed)) return { scenario, content: toSeedDocument(seed) }
    const document = known ?? (await toSeedId(seed))
    this.#remember(document, seed)
    await this.store.saveSeed(document, () => JSON.stringify(toSeedDocument(seed)))
    return { scenario, document }
  }

  /**
   * Returns the seed of a reference.
   *
   * @param current The seed of a new world. It is the stored seed if the scenario has not changed.
   * @throws {Error} If the document is missing.
   */
  async load(reference: SeedReference, current: WorldSeed): Promise<WorldSeed> {
    const { scenario } = reference
    if ('content' in reference) return this.library.prepareStored(reference.content, scenario)
    const { document } = reference
    const loaded = this.#seeds.get(document)?.deref()
    if (loaded) return loaded
    if ((await toSeedId(current)) === document) return this.#remember(document, current)
    const text = await this.store.loadSeed(document)
    if (text === undefined) throw new Error(`the scenario ${scenario} of the world is missing`)
    return this.#remember(document, await this.library.prepareStored(JSON.parse(text), scenario))
  }

  #remember(document: string, seed: WorldSeed): WorldSeed {
    this.#ids.set(seed, document)
    this.#seeds.set(document, new WeakRef(seed))
    return seed
  }
}

/** The whole state of a world except the entries of its journal. */
interface WorldBase extends WorldStart {
  readonly seed: SeedReference
  readonly state: SmallState
  readonly data: DatabaseChanges
  readonly changeCounts: ChangeCounts
  /** The requests for reports. */
  readonly requestFacts?: FactState | undefined
}

/** The stored form of a step: its changes. */
interface StoredStep {
  /** Whether the base was stored with the step, and is necessary to apply it. */
  readonly isWhole: boolean
  readonly changes: readonly Change[]
  readonly state: SmallState
  readonly entries: CurrentStep['entries']
}

/** Clocks with a smaller difference count as equal, so that a clock that a test stops stays stopped. */
const clockToleranceMs = 1_000

/** Returns the whole state after a step as JSON. */
export function toBaseText(
  step: Step,
  { generation, startedAtMs, apiKeys, ownKeys, db, journal }: World,
  seed: SeedReference,
  maximumFacts?: number,
): string {
  return JSON.stringify({
    generation,
    startedAtMs,
    apiKeys,
    ownKeys,
    seed,
    state: step.toState(true),
    data: db.save(),
    changeCounts: db.changeCounts,
    requestFacts: journal.facts.save(maximumFacts),
  } satisfies WorldBase)
}

/** Returns a step as JSON. */
export function toStepText(step: Step): string {
  const { isWhole, changes, entries } = step
  const state = step.toState(false)
  return JSON.stringify({ isWhole, changes, state, entries } satisfies StoredStep)
}

/**
 * Reads the base of a stored world, and its seed.
 *
 * @throws {Error} If they cannot be read.
 */
export async function readBase({ id, seed }: World, { base }: StoredWorld, seeds: StoredSeeds) {
  const read = parseJson(base?.data ?? '') as WorldBase | undefined // as stored
  if (!base || !read) throw new Error(`the base of the world ${id} is damaged`)
  const { number, data } = base
  return { ...read, number, length: data.length, start: await seeds.load(read.seed, seed) }
}

/**
 * Continues from a base, or from the present state, and applies the steps after it, up to the first
 * missing or damaged step. Returns the number of steps from there on; only their journal entries are
 * restored. Synchronous, so that nothing changes the world before its next step begins.
 */
export function restoreWorld(
  world: World,
  { version, steps, ageMs }: StoredWorld,
  base?: Awaited<ReturnType<typeof readBase>>,
): number {
  const { clock, generation, journal } = world
  const [newestId, beforeMs] = [journal.newestId, clock.now()]
  if (base) restoreBase(world, base, base.start)
  const read = steps.map((text = '') => parseJson(text) as StoredStep | undefined) // as stored
  const since = base ? read.slice(base.number - version.number + steps.length) : read
  const repeated = repeat(world, since)
  const knownId = generation === world.generation ? newestId : 0
  for (const [entry, fact] of read.flatMap((step) => step?.entries ?? [])) {
    // With a stopped clock, times do not show the order of requests.
    journal.add(entry, fact, clock.isFrozen ? Number.NEGATIVE_INFINITY : entry.atMs)
    // The listeners have already received the earlier entries.
    if (entry.id > knownId) journal.listeners.notify(entry)
  }
  world.measure()
  journal.lastId = Math.max(journal.lastId, journal.newestId)
  const state = repeated.at(-1) ?? base?.state
  if (state && (base || repeated.some((step) => step.clock))) restoreClock(world, state, ageMs)
  clock.keepWaits(beforeMs, clock.now())
  clock.endWaits()
  return since.length - repeated.length
}

/** Applies steps, up to a step that is damaged or needs its base. Returns the states after them. */
function repeat(world: World, steps: readonly (StoredStep | undefined)[]): SmallState[] {
  const states: SmallState[] = []
  for (const step of steps) {
    if (!step?.entries || step.isWhole) break
    applyChanges(world, step.changes)
    restoreState(world, step.state)
    states.push(step.state)
  }
  return states
}

function restoreBase(world: World, base: WorldBase, seed: WorldSeed): void {
  const { generation } = world
  world.restore(seed, base)
  // Other worlds do not share a scenario that a client has sent.
  world.seedBytes = 'content' in base.seed ? seed.bytes : 0
  world.db.load(base.data)
  world.measure()
  restoreState(world, base.state)
  world.db.changeCounts = base.changeCounts
  if (base.requestFacts) world.journal.facts.restore(base.requestFacts)
  if (generation === world.generation) return
  world.events.restart(world.generation)
  world.clock.endWaits(true)
}

/**
 * Sets the clock to the latest stored time plus the time since, measured with the clock of this
 * machine, or with the clock of the store if they differ.
 */
function restoreClock({ clock }: World, { atMs, realAtMs }: SmallState, ageMs?: number): void {
  const passedMs = clock.realNow() - realAtMs
  const isEqual = ageMs === undefined || Math.abs(passedMs - ageMs) <= clockToleranceMs
  const nowMs = atMs + Math.floor(Math.max(0, isEqual ? passedMs : ageMs))
  if (!clock.isFrozen) clock.continueFrom(nowMs, undefined)
}
