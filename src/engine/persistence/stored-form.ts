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

/** What a store keeps of one step: what it has changed. */
interface StoredStep {
  /** Whether the base was stored with it, and is necessary to repeat it. */
  readonly isWhole: boolean
  readonly changes: readonly Change[]
  readonly state: SmallState
  readonly entries: readonly RecordedEntry[]
  /** What reports need of each entry. */
  readonly facts: readonly RequestFact[]
}

/** Clocks that differ less count as equal, so that a clock that a test stops has no second time. */
const clockToleranceMs = 1_000

/** Returns the whole state of a world as JSON. */
export function toBaseText(world: World, seed: SeedReference, maximumFacts?: number): string {
  const state = toWholeState(world, maximumFacts)
  const base: WorldBase = { seed, ...world.run, state, data: world.db.save() }
  return JSON.stringify(base)
}

/** Returns a step as JSON. */
export function toStepText(step: Step): string {
  const { isWhole, changes, entries, facts } = step
  const stored: StoredStep = { isWhole, changes, state: step.toState(), entries, facts }
  return JSON.stringify(stored)
}

/**
 * Continues from a stored world: from an earlier state if steps at the end are `damaged`.
 *
 * @throws {Error} If the scenario of the world cannot be read.
 */
export async function restoreWorld(
  world: World,
  { version, base: storedBase, steps, ageMs }: StoredWorld,
  seeds: StoredSeeds,
): Promise<'restored' | 'damaged' | 'unreadable'> {
  const base = storedBase && readBase(storedBase.data)
  if (!base) return 'unreadable'
  const read = steps.map((text) => (text === undefined ? undefined : readStep(text)))
  const after = read.splice(storedBase.number - version.number + steps.length)
  const damagedAt = after.indexOf(undefined)
  if (damagedAt >= 0) after.splice(damagedAt)
  const add = createAdder(world)
  await restoreBase(world, base, seeds)
  for (const step of read) if (step) add(step)
  for (const step of after) if (step) repeatStep(world, step, add)
  restoreClock(world, after.at(-1)?.state ?? base.state, ageMs)
  world.clock.endWaits()
  world.measure()
  return damagedAt >= 0 ? 'damaged' : 'restored'
}

/**
 * Repeats the steps of other processes. Returns whether that was possible.
 *
 * @param ageMs Milliseconds since the last step, on the clock of the store.
 */
export function repeatSteps(world: World, texts: readonly string[], ageMs?: number): boolean {
  const steps = texts.map(readStep).filter((step) => step !== undefined && !step.isWhole)
  if (steps.length < texts.length) return false
  const add = createAdder(world)
  for (const step of steps) if (step) repeatStep(world, step, add)
  const last = steps.at(-1)
  if (last && steps.some((step) => step?.state.clock)) restoreClock(world, last.state, ageMs)
  world.clock.endWaits()
  world.measure()
  return true
}

function repeatStep(world: World, step: StoredStep, add: (step: StoredStep) => void): void {
  applyChanges(world, step.changes)
  restoreState(world, step.state)
  add(step)
}

/** Returns undefined if the step is damaged. */
function readStep(text: string): StoredStep | undefined {
  const step = readObject(text) as Partial<StoredStep> | undefined // written by this package
  return step?.changes && step.state && step.entries && step.facts
    ? (step as StoredStep)
    : undefined
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

async function restoreBase(world: World, base: WorldBase, seeds: StoredSeeds): Promise<void> {
  const { generation } = world
  const seed = await seeds.load(base.seed)
  world.restore(seed, base)
  // Other worlds do not share a scenario that a client has sent.
  world.seedBytes = base.seed.content ? seed.bytes : 0
  world.db.load(base.data)
  world.measure()
  restoreWholeState(world, base.state)
  if (generation === world.generation) return
  world.events.restart(world.generation)
  world.clock.endWaits(true)
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
      // A stopped clock does not tell which request was earlier.
      const sentAtMs = world.clock.isFrozen ? Number.NEGATIVE_INFINITY : entry.atMs
      world.journal.add(entry, facts[at], sentAtMs)
      const isKnown = generation === world.generation && entry.id <= newestId
      if (!isKnown) world.journal.listeners.notify(entry)
    }
  }
}
