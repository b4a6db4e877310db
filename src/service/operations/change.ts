import type { Int64 } from '../int64.js'
import type { Message, Order, Pet } from '../schemas.js'

/** One write to the data of a world. `world.apply` executes it, and the journal records it. */
export type Change =
  | {
      readonly type: 'quantity.set'
      readonly petId: Int64
      readonly from: number
      readonly to: number
    }
  | { readonly type: 'message.queued'; readonly message: Message }
  | { readonly type: 'pet.put'; readonly pet: Pet }
  | { readonly type: 'pet.removed'; readonly petId: Int64 }
  | { readonly type: 'order.put'; readonly order: Order }
  | { readonly type: 'order.removed'; readonly id: Int64 }
