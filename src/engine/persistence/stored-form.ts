import type { World } from '../../control/world.js'
import type { Change } from '../../service/operations/operation.js'
import type { StoredWorld } from '../../store/store.js'
import type { DatabaseChanges } from '../../world/database/database.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import type { RequestFact } from '../../world/journal/facts.js'
import {
  applyChanges,
  restoreState,
  restoreWholeState,
  type SmallState,
  type Step,
  toWholeState,
  type WholeState,
} from '../../world/step.js'
import type { WorldStart } from '../../world/world.js'
import type { SeedReference, StoredSeeds } from './stored-seeds.js'

/** The whole state of a world except the entries of its journal. */
interface WorldBase extends WorldStart {
  readonly seed: SeedReference
  readonly state: WholeState
  readonly data: DatabaseChanges
}

/** What a store keeps of one step: what it has changed, or the whole state after it. */
interface StoredStep {
  /** Present if the world started anew, or earlier steps cannot be read. */
  readonly base?: WorldBase | undefined
  readonly changes?: readonly Change[] | undefined
  /** Present without `base`. */
  readonly state?: SmallState | undefined
  readonly entries: readonly RecordedEntry[]
  /** What reports need of each entry. */
  readonly facts: readonly RequestFact[]
}

/** Clocks that differ less count as equal, so that a clock that a test stops has no second time. */
const clockToleranceMs = 1_000

/** Returns the whole state of a world as JSON. */
export function toBaseText(world: World, seed: SeedReference, maximumFacts?: number): string {
  return JSON.stringify(toBase(world, seed, maximumFacts))
}

function toBase(world: World, seed: SeedReference, maximumFacts?: number): WorldBase {
  const state = toWholeState(world, maximumFacts)
  return { seed, ...world.toStart(), state, data: world.db.save() }
}

/**
 * Returns a step as JSON.
 *
 * @param seed With it, the step contains the whole state.
 */
export function toStepText(
  world: World,
  step: Step,
  seed: SeedReference | undefined,
  maximumFacts?: number,
): string {
  const { entries, facts, changes } = step
  const stored: StoredStep = seed
    ? { base: toBase(world, seed, maximumFacts), entries, facts }
    : { changes, state: step.toState(), entries, facts }
  return JSON.stringify(stored)
}

/** A world that was restored from its stored form. */
interface Restored {
  /** Number of steps after the base. */
  readonly stepsSinceBase: number
  /** Whether steps at the end could not be read, so that the world has an earlier state. */
  readonly isDamaged: boolean
}

/**
 * Continues from a stored world. Returns undefined if it cannot be read.
 *
 * @throws {Error} If the scenario of the world cannot be read.
 */
export async function restoreWorld(
  world: World,
  stored: StoredWorld,
  seeds: StoredSeeds,
): Promise<Restored | undefined> {
  const { base, before, after, isDamaged } = readStored(stored)
  if (!base) return undefined
  const add = createAdder(world)
  await restoreBase(world, base, seeds)
  for (const step of before) if (step) add(step)
  for (const step of after) {
    restoreStep(world, step)
    add(step)
  }
  restoreClock(world, after.at(-1)?.state ?? base.state, stored.ageMs)
  world.measure()
  return { stepsSinceBase: after.length, isDamaged }
}

/**
 * Repeats the steps of other processes. Returns whether that was possible.
 *
 * @param ageMs Milliseconds since the last step, on the clock of the store.
 */
export async function repeatSteps(
  world: World,
  texts: readonly string[],
  ageMs: number | undefined,
  seeds: StoredSeeds,
): Promise<boolean> {
  let movedTo: SmallState | undefined
  for (const text of texts) {
    const step = readStep(text)
    // The whole state without a start follows damaged steps, which may have been read here.
    if (!step || step.base?.generation === world.generation) return false
    const state = step.base?.state ?? step.state
    if (state?.clock || movedTo) movedTo = state
    const add = createAdder(world)
    if (step.base) await restoreBase(world, step.base, seeds)
    else restoreStep(world, step)
    add(step)
  }
  if (movedTo) restoreClock(world, movedTo, ageMs)
  world.measure()
  return true
}

/** Whether a stored world has requests of an account, since its journal was cleared. */
export function hasRequests(stored: StoredWorld, accountId: string): boolean {
  const { base, before, after } = readStored(stored)
  if (!base) return false
  const { requestFacts, clearedId } = base.state
  const received = requestFacts?.received ?? []
  if (received.some(([account]) => account === accountId) && !isCleared(after, clearedId))
    return true
  const fromId = Math.max(requestFacts?.upTo ?? 0, after.at(-1)?.state?.clearedId ?? clearedId) + 1
  const facts = [...before, ...after].flatMap((step) => step?.facts ?? [])
  return facts.some(({ id, account }) => id >= fromId && account === accountId)
}

function isCleared(steps: readonly StoredStep[], clearedId: number): boolean {
  return steps.some(({ state }) => state !== undefined && state.clearedId !== clearedId)
}

/** Reads a stored world: its latest whole state, and the steps before and after it. */
function readStored({ version, base, steps }: StoredWorld) {
  const read = steps.map((text) => (text === undefined ? undefined : readStep(text)))
  const baseAt = base ? base.number - (version.number - steps.length + 1) : -1
  const wholeAt = read.findLastIndex((step) => step?.base !== undefined)
  const isStepLatest = wholeAt > baseAt
  const following = read.slice(Math.max(wholeAt, baseAt) + 1)
  const damagedAt = following.indexOf(undefined)
  const intact = damagedAt < 0 ? following : following.slice(0, damagedAt)
  return {
    base: isStepLatest ? read[wholeAt]?.base : base && readBase(base.data),
    before: read.slice(0, Math.max(wholeAt, baseAt) + 1),
    after: intact.filter((step) => step !== undefined),
    isDamaged: damagedAt >= 0,
  }
}

/** Returns undefined if the step is damaged. */
function readStep(text: string): StoredStep | undefined {
  const step = readObject(text) as Partial<StoredStep> | undefined // written by this package
  const isStep = (step?.base ?? step?.state) && step?.entries && step.facts
  return isStep ? (step as StoredStep) : undefined
}

/** Returns undefined if the base is damaged. */
function readBase(text: string): WorldBase | undefined {
  const base = readObject(text) as Partial<WorldBase> | undefined // written by this package
  return base?.seed && base.state && base.data ? (base as WorldBase) : undefined
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function restoreStep(world: World, { changes = [], state }: StoredStep): void {
  applyChanges(world, changes)
  if (state) restoreState(world, state)
}

async function restoreBase(world: World, base: WorldBase, seeds: StoredSeeds): Promise<void> {
  const { generation } = world
  const seed = await seeds.load(base.seed)
  world.restore(seed, base)
  // Other worlds do not share a scenario that a client has sent.
  world.seedBytes = base.seed.content ? seed.bytes : 0
  world.db.load(base.data)
  world.measure()
  restoreWholeState(world, base.state)
  if (generation !== world.generation) world.events.restart(world.generation)
}

/**
 * Lets the clock show the latest stored time, and what has passed since: on the clock of this machine,
 * unless that of the store contradicts it.
 */
function restoreClock(world: World, { atMs, realAtMs }: SmallState, ageMs?: number): void {
  const { clock } = world
  if (clock.isFrozen) return
  const passedMs = clock.realNow() - realAtMs
  const isEqual = ageMs === undefined || Math.abs(passedMs - ageMs) <= clockToleranceMs
  clock.continueFrom(atMs + Math.floor(Math.max(0, isEqual ? passedMs : ageMs)), undefined)
}

/**
 * Returns a function that adds the entries of a step to the journal, and notifies its listeners unless
 * the journal already has or had the entry now.
 */
function createAdder(world: World): (step: StoredStep) => void {
  const { generation } = world
  const { newestId } = world.journal
  return ({ entries, facts }) => {
    for (const [at, entry] of entries.entries()) {
      const isKnown = generation === world.generation && entry.id <= newestId
      // A stopped clock does not tell which request was earlier.
      const sentAtMs = world.clock.isFrozen ? Number.NEGATIVE_INFINITY : entry.atMs
      world.journal.add(entry, facts[at], { isKnown, sentAtMs })
    }
  }
}
