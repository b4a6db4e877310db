import { z } from 'zod'
import { Problem } from '../../contract/errors.js'
import { lazy } from '../../contract/lazy.js'
import { type OperationId, operationIds } from '../../operations/operations.js'
import { readValue } from '../../validation/validate.js'
import type { Random } from '../random.js'
import { type FaultKind, toPercent } from './kind.js'
import * as table from './table.js'

type Kinds = typeof table
type FaultType = keyof Kinds

const maximumFaults = 100

/** Fields of every fault, which state when it applies. */
const commonFields = lazy(() => ({
  operation: z
    .enum(operationIds as [OperationId, ...OperationId[]]) // the table has at least one operation
    .optional()
    .meta({
      title: 'Operation',
      description: 'Operation that the fault applies to. Default: every operation.',
    }),
  rate: z.number().gt(0).max(1).optional().meta({
    title: 'Rate',
    description:
      'Fraction of the requests, above 0 and at most 1, drawn from the seed. Default: every request.',
  }),
  times: z.int().min(1).optional().meta({
    title: 'Times',
    description: 'Maximum number of uses. Default: unlimited.',
  }),
}))
type FieldsOf<Type extends FaultType> =
  Kinds[Type] extends FaultKind<infer Shape>
    ? z.ZodObject<Shape & ReturnType<typeof commonFields>>
    : never

/** A fault: its kind, and the requests that it applies to. */
export type Fault = {
  [Type in FaultType]: { readonly type: Type } & z.output<FieldsOf<Type>>
}[FaultType]

/** A fault before its defaults are filled in. */
export type FaultInput = {
  [Type in FaultType]: { readonly type: Type } & z.input<FieldsOf<Type>>
}[FaultType]

/** The kinds of faults by their type. */
export const faultKinds: Readonly<Record<FaultType, FaultKind>> = table

/** A fault in a scenario. */
export const faultSchema = lazy(() => {
  const variants = Object.entries<FaultKind>(table).map(toVariant)
  const schema = z.discriminatedUnion('type', variants as [ReturnType<typeof toVariant>])
  return schema as unknown as z.ZodType<Fault, FaultInput> // the variants are derived from the same table
})

/** All faults of a world. */
export const faultsSchema = lazy(() => z.array(faultSchema()).max(maximumFaults))

function toVariant([type, { title, description, fields }]: [string, FaultKind]) {
  const literal = z.literal(type).describe(description)
  return z
    .strictObject({ type: literal, ...fields(), ...commonFields() })
    .meta({ title, description })
}

/** Returns the kind of a fault. */
export function toKind({ type }: Fault): FaultKind {
  return faultKinds[type]
}

/** Describes a fault: `getPet responds with 503, for 20 % of requests, 3 uses left`. */
export function describeFault(fault: Fault): string {
  const { operation = 'every operation', rate = 1, times } = fault
  const parts = [`${operation} ${toKind(fault).summarize(fault)}`]
  if (rate < 1) parts.push(`for ${toPercent(rate)} of requests`)
  if (times !== undefined) parts.push(times === 1 ? '1 use left' : `${times} uses left`)
  return parts.join(', ')
}

/** A fault of a world. */
export interface FaultEntry {
  readonly fault: Fault
  /** Number of remaining uses. */
  remaining: number
  /** Whether a request has triggered the fault. */
  isTriggered: boolean
  /** Whether the fault is part of the scenario. */
  readonly isInitial: boolean
}

/** The faults of a world in their order, each with its remaining uses. */
export class Faults {
  #faults: readonly FaultEntry[] = []
  /** Called with the faults before they are replaced. */
  beforeReplace: ((entries: readonly FaultEntry[]) => void) | undefined
  /** Number of faults. */
  size = 0
  /** Differs after each change of the faults and of their remaining uses. */
  revision = 0

  constructor(readonly random: () => Random) {}

  /** Returns the faults in the form of a scenario. `times` is the number of remaining uses. */
  list(): Fault[] {
    return this.#faults.map(({ fault, remaining }) =>
      fault.times === undefined ? fault : { ...fault, times: remaining },
    )
  }

  /**
   * Replaces all faults.
   *
   * @throws {Problem} invalid_field or missing_field; the faults stay unchanged.
   */
  set(faults: readonly FaultInput[]): void {
    const valid = readValue(faultsSchema(), faults, 'the faults')
    this.#replace(valid.map((fault) => toEntry(fault, false)))
  }

  /** Replaces all faults by copies of valid ones, which are those of a scenario. */
  load(faults: readonly Fault[]): void {
    this.#replace(faults.map((fault) => toEntry({ ...fault }, true)))
  }

  /** Returns the faults with their use. */
  entries(): readonly FaultEntry[] {
    return this.#faults
  }

  /**
   * Appends a fault.
   *
   * @throws {Problem} invalid_field, missing_field, or sandbox_capacity if there are 100 faults.
   */
  add(fault: FaultInput): void {
    const added = readValue(faultSchema(), fault, 'the fault')
    if (this.size >= maximumFaults) {
      const message = `a world of this sandbox has at most ${maximumFaults} faults; remove some`
      throw new Problem('sandbox_capacity', message)
    }
    this.#replace([...this.#faults, toEntry(added, false)])
  }

  /** Removes all faults. */
  clear(): void {
    this.#replace([])
  }

  /**
   * Returns the faults that apply to one request of the operation, up to the first that replaces
   * the response, and decrements their remaining uses. Later faults are not used.
   */
  take(operation: OperationId): readonly Fault[] {
    const taken: Fault[] = []
    for (const entry of this.#faults) {
      if (!this.#applies(entry.fault, operation)) continue
      entry.remaining -= 1
      entry.isTriggered = true
      if (entry.remaining !== Infinity) this.revision += 1
      taken.push(entry.fault)
      if (toKind(entry.fault).respond) break
    }
    if (this.#faults.some(({ remaining }) => remaining === 0)) {
      this.#replace(this.#faults.filter(({ remaining }) => remaining > 0))
    }
    return taken
  }

  #applies(fault: Fault, operation: OperationId): boolean {
    if (fault.operation !== undefined && fault.operation !== operation) return false
    return fault.rate === undefined || this.random().next() < fault.rate
  }

  #replace(faults: readonly FaultEntry[]): void {
    this.beforeReplace?.(this.#faults)
    this.#faults = faults
    this.size = faults.length
    this.revision += 1
  }
}

function toEntry(fault: Fault, isInitial: boolean): FaultEntry {
  return { fault, remaining: fault.times ?? Infinity, isTriggered: false, isInitial }
}
