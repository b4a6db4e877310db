import type { World } from '../../control/world.js'
import type { Change } from '../../service/operations/operation.js'
import type { DatabaseChanges } from '../../world/database/database.js'
import type { RequestFact } from '../../world/journal/facts.js'
import type { Progress } from '../../world/progress.js'
import { saveWholeProgress } from '../../world/step.js'
import type { WorldStart } from '../../world/world.js'
import type { EncodedEntries } from './entry-chain.js'
import type { SeedReference } from './stored-seeds.js'

/** The whole state of a world except its journal. */
export interface WorldBase extends WorldStart {
  readonly seed: SeedReference
  readonly progress: Progress
  readonly data: DatabaseChanges
}

/**
 * What a store retains of one step: its changes, or the whole state of the world after it. Stored
 * as JSON.
 */
export interface WorldRecord extends EncodedEntries {
  /** The state after the step, if the world started anew. Then there are no other changes. */
  readonly base?: WorldBase | undefined
  readonly changes?: readonly Change[] | undefined
  readonly progress?: Progress | undefined
  /** What reports need of the last entries. Version 1.0 wrote a field `facts` of another form. */
  readonly requestFacts?: readonly RequestFact[] | undefined
}

/**
 * Returns the whole state of a world.
 *
 * @param maximumFacts Maximum number of requests for reports.
 */
export function toBase(world: World, seed: SeedReference, maximumFacts?: number): WorldBase {
  const progress = saveWholeProgress(world, maximumFacts)
  return { seed, ...world.toStart(), progress, data: world.db.save() }
}

/** Reads a record. Returns undefined if it is damaged. */
export function readRecord(text: string): WorldRecord | undefined {
  const value = readObject(text)
  const isRecord = isObject(value?.base) || isObject(value?.progress)
  return isRecord ? (value as WorldRecord) : undefined // written by this package
}

/** Reads the base of a world. Returns undefined if it is damaged. */
export function readBase(text: string): WorldBase | undefined {
  const value = readObject(text)
  const isBase = isObject(value?.seed) && isObject(value?.progress) && isObject(value?.data)
  return isBase ? (value as unknown as WorldBase) : undefined // written by this package
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
