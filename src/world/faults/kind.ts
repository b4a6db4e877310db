import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import type { ErrorBody } from '../../service/errors.js'

/** A kind of fault: its fields and its effect on a request. The key in the table is its `type`. */
export interface FaultKind<Shape extends z.core.$ZodShape = z.core.$ZodShape> {
  /** Label of the kind in forms, such as `Error status`. */
  readonly title: string
  /** One sentence, for help texts and documents. */
  readonly description: string
  /**
   * Fields that other kinds do not have. Their titles and descriptions label forms. A kind with the
   * field `phase` can act after the operation.
   */
  readonly fields: Shape
  /** Example of its fields, for help texts. */
  readonly example: z.input<z.ZodMiniObject<Shape>>
  /** Returns the name of a field that has no effect because of another field. */
  findConflict?(fault: z.output<z.ZodMiniObject<Shape>>): string | undefined
  /**
   * Returns the effect as a verb phrase: `responds with 503`.
   *
   * @param delayMs The delay of one request, in milliseconds.
   */
  summarize(fault: z.output<z.ZodMiniObject<Shape>>, delayMs?: number): string
  /**
   * Returns the delay of the response in milliseconds.
   *
   * @param next Returns the next random number: at least 0 and less than 1.
   */
  delayMs?(fault: z.output<z.ZodMiniObject<Shape>>, next: () => number): number
  /**
   * Returns the response that replaces the response of the operation, or `reset` to reset the
   * connection. In both cases the operation does not run, unless the phase is `after`.
   */
  respond?(fault: z.output<z.ZodMiniObject<Shape>>): FaultResponse | 'reset'
  /** Returns the bytes of the body that every transport sends before it closes the connection. */
  truncate?(fault: z.output<z.ZodMiniObject<Shape>>, body: Uint8Array): Uint8Array
}

/** An error response that a fault sends instead of running the operation: the fields of `status`. */
export interface FaultResponse extends Omit<ErrorBody, 'code'> {
  /** Default: a documented code of the operation. */
  readonly code?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly retryAfterFormat?: 'seconds' | 'date' | undefined
  readonly body?: string | undefined
  readonly headers: readonly FaultHeader[]
}

export type FaultHeader = readonly [name: string, values: string | readonly string[]]

/** Returns the kind of fault unchanged. Infers its types from its fields. */
export function defineFault<Shape extends z.core.$ZodShape>(
  kind: FaultKind<Shape>,
): FaultKind<Shape> {
  return kind
}

/** Schema of the field `phase`. */
export const phaseSchema = annotate(z.optional(z.enum(['before', 'after'])), {
  title: 'Phase',
  description: 'before (default) or after the operation, whose change is then applied.',
})

/** Returns ` after the operation`, the end of a summary, for this phase. */
export function describePhase(phase: 'before' | 'after' | undefined): string {
  return phase === 'after' ? ' after the operation' : ''
}

/** Formats a share from 0 to 1 as a percentage. */
export function toPercent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}
