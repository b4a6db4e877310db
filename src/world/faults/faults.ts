import { Problem } from '../../service/errors.js'
import type { OperationId } from '../../service/operations/operations.js'
import { readValue } from '../../service/validation/validate.js'
import { Random } from '../random.js'
import { type FaultRequest, matches } from './match.js'
import {
  describeEffect,
  type Effect,
  type Fault,
  type FaultInput,
  faultSchema,
  faultsSchema,
  maximumFaults,
  toKind,
} from './schema.js'

/** The effect of a fault on one request. */
export interface TakenFault {
  readonly effect: Effect | 'pass'
  /** Delay in milliseconds. */
  readonly delayMs: number
  /** `waits 400 ms (step 1 of a sequence)`, for the journal. */
  readonly description: string
}

/** A fault as it was loaded, and its uses since then. Replaced when a request uses it. */
export interface FaultEntry {
  readonly fault: Fault
  /** Number of matching requests that were skipped. */
  readonly skipped: number
  /** Number of requests that have used the fault. */
  readonly used: number
  /** Whether the fault is part of the scenario. */
  readonly isInitial: boolean
}

export type FaultUses = Pick<FaultEntry, 'skipped' | 'used'>

/** The faults of a world in their order, each with its remaining uses. */
export class Faults {
  #entries: readonly FaultEntry[] = []
  /** Called with the faults before some of them are removed. @internal */
  beforeReplace: ((entries: readonly FaultEntry[]) => void) | undefined
  /** Differs after each change of the faults, except of their uses. @internal */
  revision = 0
  /** Number of faults. */
  size = 0

  /** @param onChange Called after a fault was added, or the faults were replaced or removed. @internal */
  constructor(
    /** @internal */ readonly random: () => Random,
    /** @internal */ readonly onChange: () => void = () => {},
  ) {}

  /**
   * Returns the faults in the form of a scenario, with the remaining `atMost`, `skip` and `sequence`.
   * An unused fault has no `triggered`.
   */
  list(): Fault[] {
    return this.#entries.map((entry) => copy(toFault(entry)))
  }

  /**
   * Replaces all faults with a fault, or with an array of faults.
   *
   * @throws {Problem} invalid_field or missing_field; the faults stay unchanged.
   */
  set(faults: FaultInput | readonly FaultInput[]): void {
    const valid = Array.isArray(faults)
      ? readValue(faultsSchema, faults, 'the faults')
      : [readValue(faultSchema, faults, 'the fault')]
    this.restore(valid.map((fault) => toEntry(copy(fault), false)))
    this.onChange()
  }

  /** Replaces all faults by the faults of a scenario, which are valid. @internal */
  load(faults: readonly Fault[]): void {
    this.restore(faults.map((fault) => toEntry({ ...fault }, true)))
  }

  /** Returns the faults with their uses, for `restore`. Each change creates another list. @internal */
  entries(): readonly FaultEntry[] {
    return this.#entries
  }

  /** Replaces all faults, with their uses. @internal */
  restore(entries: readonly FaultEntry[]): void {
    this.beforeReplace?.(this.#entries)
    this.#entries = entries
    this.size = entries.length
    this.revision += 1
  }

  /** Returns the uses of each fault. @internal */
  saveUses(): FaultUses[] {
    return this.#entries.map(({ skipped, used }) => ({ skipped, used }))
  }

  /** Restores the uses of the same faults. @internal */
  restoreUses(uses: readonly FaultUses[]): void {
    this.#entries = this.#entries.map((entry, at) => ({ ...entry, ...uses[at] }))
  }

  /**
   * Appends a fault.
   *
   * @throws {Problem} invalid_field, missing_field, or sandbox_capacity if there are 100 faults.
   */
  add(fault: FaultInput): void {
    const added = readValue(faultSchema, fault, 'the fault')
    if (this.size >= maximumFaults) {
      const message = `a world of this sandbox has at most ${maximumFaults} faults; remove some`
      throw new Problem('sandbox_capacity', message)
    }
    this.restore([...this.#entries, toEntry(copy(added), false)])
    this.onChange()
  }

  /** Removes all faults. */
  clear(): void {
    this.restore([])
    this.onChange()
  }

  /**
   * Returns the effects of the faults that apply to one request of the operation, up to the first that
   * replaces the response, and updates the uses of these faults. @internal
   */
  take(operation: OperationId, request: FaultRequest): readonly TakenFault[] {
    const taken: TakenFault[] = []
    let entries = this.#entries
    for (const [at, entry] of entries.entries()) {
      const { fault, skipped, used } = entry
      if (fault.operation !== undefined && fault.operation !== operation) continue
      if (fault.match && !matches(request, fault.match)) continue
      const isSkipped = skipped < (fault.skip ?? 0)
      if (isSkipped) entries = entries.with(at, { ...entry, skipped: skipped + 1 })
      if (isSkipped || !this.#isDrawn(fault)) continue
      entries = entries.with(at, { ...entry, used: used + 1 })
      const isSequence = 'sequence' in fault
      const effect = isSequence ? (fault.sequence[used] ?? 'pass') : fault
      const triggered = (fault.triggered ?? 0) + used
      const delayMs = effect === 'pass' ? 0 : this.#drawDelay(effect, at, triggered)
      const origin = isSequence ? ` (step ${triggered + 1} of a sequence)` : ''
      const description = `${describeEffect(effect, delayMs)}${origin}`
      taken.push({ effect, delayMs, description })
      if (effect !== 'pass' && toKind(effect).respond) break
    }
    this.#entries = entries
    const left = entries.filter(({ fault, used }) => used < countUses(fault))
    if (left.length < entries.length) this.restore(left)
    return taken
  }

  #isDrawn(fault: Fault): boolean {
    if ('sequence' in fault || fault.rate === undefined) return true
    return this.random().next() < fault.rate
  }

  /**
   * Returns the delay of an effect. Each fault has its own sequence of random delays, so that a delay
   * affects no draws of the world or of other faults.
   */
  #drawDelay(effect: Effect, at: number, triggered: number): number {
    const { delayMs } = toKind(effect)
    if (!delayMs) return 0
    let random: Random | undefined
    return delayMs(effect, () => {
      random ??= new Random(Math.imul(this.random().seed ^ (at + 1), 0x5bd1e995), 2 * triggered)
      return random.next()
    })
  }
}

/** Copies a fault, which is JSON data. */
function copy(fault: Fault): Fault {
  return JSON.parse(JSON.stringify(fault))
}

function toEntry(fault: Fault, isInitial: boolean): FaultEntry {
  return { fault, skipped: 0, used: 0, isInitial }
}

/** Returns the number of uses after which a fault is removed. */
function countUses(fault: Fault): number {
  return 'sequence' in fault ? fault.sequence.length : (fault.atMost ?? Infinity)
}

/** Returns the remaining part of a fault. */
function toFault({ fault, skipped, used }: FaultEntry): Fault {
  const { skip = 0, triggered = 0, ...rest } = fault
  const state = {
    ...(skip > skipped && { skip: skip - skipped }),
    ...(triggered + used > 0 && { triggered: triggered + used }),
  }
  if ('sequence' in rest) return { ...rest, sequence: rest.sequence.slice(used), ...state }
  const current = { ...rest, ...state } as Exclude<Fault, { sequence: unknown }> // a kind as before
  return rest.atMost === undefined ? current : { ...current, atMost: rest.atMost - used }
}
