import { Problem } from '../errors.js'
import type { Int64, Int64Input } from '../int64.js'
import { recordKinds, type WritableKind } from '../records.js'
import type { KindName, Message, RecordOf } from '../schemas.js'

/** One write to the data of a world. `world.apply` executes it, and the journal records it. */
export type Change =
  | {
      readonly type: 'quantity.set'
      readonly petId: Int64
      readonly from: number
      readonly to: number
    }
  | { readonly type: 'message.queued'; readonly message: Message }
  | RecordPut
  | { readonly type: 'record.removed'; readonly kind: KindName; readonly id: string }

/** Adds a record, or replaces the one with the same id. */
export type RecordPut = {
  readonly [Kind in KindName]: {
    readonly type: 'record.put'
    readonly kind: Kind
    readonly record: RecordOf<Kind>
  }
}[KindName]

/** Creates the problem for an id that no record of the world has. */
export function createNotFoundProblem(kind: WritableKind, id: Int64Input): Problem {
  const { noun, id: field, notFound } = recordKinds[kind]
  return new Problem(notFound, `no ${noun} has the ${field} ${id} in this world`)
}
