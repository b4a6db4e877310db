import { z } from 'zod'
import { type OperationId, operationIds } from '../contract/operations.js'
import type { Random } from './random.js'

const whenFields = {
  /** The operation that it strikes; without one, all of them. */
  operation: z.enum(operationIds as [OperationId, ...OperationId[]]).optional(),
  /** The share of calls that it strikes, drawn from the seed; without one, each. */
  rate: z.number().gt(0).max(1).optional(),
  /** How often it strikes at the most; without one, for ever. */
  times: z.int().min(1).optional(),
}

/** A fault as a scenario writes it: what happens, at which operation, how often. */
export const faultSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(400).max(599),
    code: z.string().regex(/^[a-z][a-z0-9_]*$/, { error: 'snake_case' }).optional(),
    message: z.string().optional(),
    retryAfterSeconds: z.int().min(0).max(31_536_000).optional(),
    ...whenFields,
  }),
  z.strictObject({ type: z.literal('delay'), delayMs: z.int().min(0).max(60_000), ...whenFields }),
  z.strictObject({ type: z.literal('reset'), ...whenFields }),
  z.strictObject({
    type: z.literal('truncate'),
    /** How much of the body arrives, as a share of its bytes. */
    share: z.number().min(0).lt(1).default(0.5),
    ...whenFields,
  }),
])
export type Fault = z.output<typeof faultSchema>

/** The faults of a world, in their order, with how often each may still strike. */
export class Faults {
  #faults: { readonly fault: Fault; left: number }[] = []

  constructor(readonly random: () => Random) {}

  /** The faults as a scenario would write them now: `times` is what is left of it. */
  list(): Fault[] {
    return this.#faults.map(({ fault, left }) =>
      fault.times === undefined ? fault : { ...fault, times: left },
    )
  }

  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
  }

  add(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity })
  }

  clear(): void {
    this.#faults = []
  }

  /** The faults that strike one call of the operation; what they use up is used up. */
  strike(operation: OperationId): readonly Fault[] {
    if (this.#faults.length === 0) return none
    const struck = this.#faults.filter(({ fault }) => this.#strikes(fault, operation))
    for (const entry of struck) entry.left -= 1
    if (struck.some(({ left }) => left === 0)) {
      this.#faults = this.#faults.filter(({ left }) => left > 0)
    }
    return struck.map(({ fault }) => fault)
  }

  #strikes(fault: Fault, operation: OperationId): boolean {
    if (fault.operation !== undefined && fault.operation !== operation) return false
    return fault.rate === undefined || this.random().next() < fault.rate
  }
}

const none: readonly Fault[] = []
