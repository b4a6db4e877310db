import type { Message, Order, Pet } from '../../src/service/schemas.js'
import type { Database } from '../../src/world/database/database.js'

export function setQuantity(db: Database, petId: string, quantity: number): void {
  db.apply({ type: 'quantity.set', petId, from: 0, to: quantity })
}

export function putPet(db: Database, pet: Pet): void {
  db.apply({ type: 'pet.put', pet })
}

export function removePet(db: Database, petId: string): void {
  db.apply({ type: 'pet.removed', petId })
}

export function putOrder(db: Database, order: Order): void {
  db.apply({ type: 'order.put', order })
}

export function removeOrder(db: Database, id: string): void {
  db.apply({ type: 'order.removed', id })
}

export function addMessage(db: Database, message: Message): void {
  db.apply({ type: 'message.queued', message })
}
