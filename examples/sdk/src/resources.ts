export type PetStatus = 'available' | 'pending' | 'sold'

/** The stock of one pet. */
export interface InventoryItem {
  readonly petId: bigint
  readonly quantity: number
  readonly status: PetStatus
}

export interface Pet {
  readonly petId: bigint
  readonly name: string
  readonly status: PetStatus
}

export interface Order {
  readonly id: bigint
  readonly petId: bigint
  readonly quantity: number
}

/** A message that the service has accepted, but not delivered yet. */
export interface QueuedMessage {
  readonly id: string
  readonly message: string
  readonly status: 'queued'
  readonly createdAt: Date
}

/** A resource in the form that `parseJson` returns. */
export type Parsed<T> = {
  readonly [Name in keyof T]: T[Name] extends bigint | Date ? string : T[Name]
}

/** Converts the id of an InventoryItem or Pet. */
export function withPetId<T extends { readonly petId: string }>(value: T) {
  return { ...value, petId: BigInt(value.petId) }
}

export function toOrder(order: Parsed<Order>): Order {
  return { ...withPetId(order), id: BigInt(order.id) }
}

export function toMessage(message: Parsed<QueuedMessage>): QueuedMessage {
  return { ...message, createdAt: new Date(message.createdAt) }
}
