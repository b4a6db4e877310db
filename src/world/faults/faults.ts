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

/** A fault as it was loaded, and its state. Replaced when a request uses it. */
export interface FaultEntry {
  readonly fault: Fault
  /** Number of matching requests that are still skipped. */
  readonly skips: number
  /** Number of uses or steps that remain; Infinity for no limit. */
  readonly remaining: number
  /** Number of uses so far. */
  readonly triggered: number
  /** Whether the fault is part of the scenario. */
  readonly isInitial: boolean
}

/** The state of a fault, as JSON can represent it: null for no limit. */
export type FaultUses = readonly [skips: number, remaining: number | null, triggered: number]

/** The faults of a world in their order, each with its remaining uses. */
export class Faults {
  #entries: readonly FaultEntry[] = []
  /** Called with the faults before some of them are removed. @internal */
  beforeReplace: ((entries: readonly FaultEntry[]) => void) | undefined
  /** Differs after each change of the faults, other than of their uses. @internal */
  revision = 0
  /** Number of faults. */
  size = 0
  readonly #onChange: () => void

  /** @param onChange Called after a fault was added, or the faults were replaced or removed. @internal */
  constructor(
    /** @internal */ readonly random: () => Random,
    onChange: () => void = () => {},
  ) {
    this.#onChange = onChange
  }

  /**
   * Returns the faults in the form of a scenario. `atMost`, `skip` and `sequence` are what remains
   * of them. A fault that was not used has no `triggered`.
   */
  list(): Fault[] {
    return this.#entries.map((entry) => copy(toFault(entry)))
  }

  /**
   * Replaces all faults by another one, or by an array of them.
   *
   * @throws {Problem} invalid_field or missing_field; the faults stay unchanged.
   */
  set(faults: FaultInput | readonly FaultInput[]): void {
    const valid = readFaults(faults)
    this.restore(valid.map((fault) => toEntry(copy(fault), false)))
    this.#onChange()
  }

  /** Replaces all faults by those of a scenario, which are valid. @internal */
  load(faults: readonly Fault[]): void {
    this.restore(faults.map((fault) => toEntry({ ...fault }, true)))
  }

  /** Returns the faults with their use, for `restore`. The list is another one after each change. @internal */
  entries(): readonly FaultEntry[] {
    return this.#entries
  }

  /** Replaces all faults, with their use. @internal */
  restore(entries: readonly FaultEntry[]): void {
    this.beforeReplace?.(this.#entries)
    this.#entries = entries
    this.size = entries.length
    this.revision += 1
  }

  /** Returns the state of each fault. @internal */
  saveUses(): FaultUses[] {
    const toLimit = (remaining: number) => (remaining === Infinity ? null : remaining)
    return this.#entries.map((entry) => [entry.skips, toLimit(entry.remaining), entry.triggered])
  }

  /** Restores the state of the same faults. @internal */
  restoreUses(uses: readonly FaultUses[]): void {
    this.#entries = this.#entries.map((entry, at) => {
      const [skips, remaining, triggered] = uses[at] ?? [entry.skips, null, entry.triggered]
      return { ...entry, skips, remaining: remaining ?? Infinity, triggered }
    })
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
    this.#onChange()
  }

  /** Removes all faults. */
  clear(): void {
    this.restore([])
    this.#onChange()
  }

  /**
   * Returns the effects of the faults that apply to one request of the operation, up to the first
   * that replaces the response, and updates the uses of these faults. Later faults are not used. @internal
   */
  take(operation: OperationId, request: FaultRequest): readonly TakenFault[] {
    const taken: TakenFault[] = []
    const entries = [...this.#entries]
    for (const [at, entry] of this.#entries.entries()) {
      const { fault, skips, remaining, triggered } = entry
      if (fault.operation !== undefined && fault.operation !== operation) continue
      if (fault.match && !matches(request, fault.match)) continue
      if (skips > 0) entries[at] = { ...entry, skips: skips - 1 }
      if (skips > 0 || !this.#isDrawn(fault)) continue
      entries[at] = { ...entry, remaining: remaining - 1, triggered: triggered + 1 }
      const isSequence = 'sequence' in fault
      const effect = isSequence ? (fault.sequence.at(-remaining) ?? 'pass') : fault
      const delayMs = effect === 'pass' ? 0 : this.#drawDelay(effect, at, triggered)
      const origin = isSequence ? ` (step ${triggered + 1} of a sequence)` : ''
      const description = `${describeEffect(effect, delayMs)}${origin}`
      taken.push({ effect, delayMs, description })
      if (effect !== 'pass' && toKind(effect).respond) break
    }
    if (entries.some((entry, at) => entry !== this.#entries[at])) this.#entries = entries
    const left = entries.filter(({ remaining }) => remaining > 0)
    if (left.length < entries.length) this.restore(left)
    return taken
  }

  #isDrawn(fault: Fault): boolean {
    if ('sequence' in fault || fault.rate === undefined) return true
    return this.random().next() < fault.rate
  }

  /**
   * Returns the delay of an effect. Random delays have a sequence of their own for each fault, so
   * that they change neither the draws of the world nor those of other faults.
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

function readFaults(faults: FaultInput | readonly FaultInput[]): Fault[] {
  if (Array.isArray(faults)) return readValue(faultsSchema, faults, 'the faults')
  return [readValue(faultSchema, faults, 'the fault')]
}

/** Copies a fault. Its fields are those of JSON. */
function copy(fault: Fault): Fault {
  return JSON.parse(JSON.stringify(fault))
}

function toEntry(fault: Fault, isInitial: boolean): FaultEntry {
  const { skip = 0, triggered = 0 } = fault
  const remaining = 'sequence' in fault ? fault.sequence.length : (fault.atMost ?? Infinity)
  return { fault, skips: skip, remaining, triggered, isInitial }
}

/** Returns a fault with its current state. */
function toFault({ fault, skips, remaining, triggered }: FaultEntry): Fault {
  const { skip: _, triggered: __, ...rest } = fault
  const state = { ...(skips > 0 && { skip: skips }), ...(triggered > 0 && { triggered }) }
  if ('sequence' in rest) return { ...rest, sequence: rest.sequence.slice(-remaining), ...state }
  const current = { ...rest, ...state } as Exclude<Fault, { sequence: unknown }> // a kind as before
  return rest.atMost === undefined ? current : { ...current, atMost: remaining }
}
