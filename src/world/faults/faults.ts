import { z } from 'zod'
import { type OperationId, operationIds } from '../../contract/operations.js'
import { readValue } from '../../validation/validate.js'
import type { Random } from '../random.js'

const whenFields = {
  operation: z
    .enum(operationIds as [OperationId, ...OperationId[]])
    .optional()
    .describe('The operation that it strikes; without one, all of them.'),
  rate: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('The share of calls that it strikes, drawn from the seed; without one, each.'),
  times: z
    .int()
    .min(1)
    .optional()
    .describe('How often it strikes at the most; without one, for ever.'),
}

/** A fault as a scenario writes it: what happens, at which operation, how often. */
export const faultSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status').describe('Answers with an error status.'),
    status: z.int().min(400).max(599).describe('The HTTP status, 400 to 599.'),
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/, { error: 'snake_case' })
      .optional()
      .describe('The code of the Error body, snake_case.'),
    message: z.string().optional().describe('The message of the Error body.'),
    retryAfterSeconds: z
      .int()
      .min(0)
      .max(31_536_000)
      .optional()
      .describe('The Retry-After header, in seconds.'),
    ...whenFields,
  }),
  z.strictObject({
    type: z.literal('delay').describe('Answers later.'),
    delayMs: z.int().min(0).max(60_000).describe('How much later, in milliseconds.'),
    ...whenFields,
  }),
  z.strictObject({
    type: z.literal('reset').describe('Cuts the connection before any answer.'),
    ...whenFields,
  }),
  z.strictObject({
    type: z.literal('truncate').describe('Cuts the connection in the middle of the body.'),
    share: z
      .number()
      .min(0)
      .lt(1)
      .default(0.5)
      .describe('How much of the body arrives, as a share of its bytes.'),
    ...whenFields,
  }),
])
export type Fault = z.output<typeof faultSchema>

/** All faults of a world. */
export const faultsSchema = z.array(faultSchema).max(100)

/** A fault as its author writes it. */
export type FaultInput = z.input<typeof faultSchema>

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

  /**
   * Replaces all faults.
   *
   * @throws {Problem} invalid_field or missing_field; the faults stay as they were.
   */
  set(faults: readonly FaultInput[]): void {
    this.#faults = readValue(faultsSchema, faults, 'the faults').map(toEntry)
  }

  /**
   * Adds a fault behind the others.
   *
   * @throws {Problem} invalid_field or missing_field.
   */
  add(fault: FaultInput): void {
    this.set([...this.list(), fault])
  }

  clear(): void {
    this.#faults = []
  }

  /**
   * The faults that strike one call of the operation, up to the one that ends it; what they use up
   * is used up. Those behind it are left for another call.
   */
  strike(operation: OperationId): readonly Fault[] {
    if (this.#faults.length === 0) return none
    const struck: Fault[] = []
    for (const entry of this.#faults) {
      if (!this.#strikes(entry.fault, operation)) continue
      entry.left -= 1
      struck.push(entry.fault)
      if (entry.fault.type === 'status' || entry.fault.type === 'reset') break
    }
    if (this.#faults.some(({ left }) => left === 0)) {
      this.#faults = this.#faults.filter(({ left }) => left > 0)
    }
    return struck
  }

  #strikes(fault: Fault, operation: OperationId): boolean {
    if (fault.operation !== undefined && fault.operation !== operation) return false
    return fault.rate === undefined || this.random().next() < fault.rate
  }
}

const none: readonly Fault[] = []

function toEntry(fault: Fault): { readonly fault: Fault; left: number } {
  return { fault, left: fault.times ?? Infinity }
}
