import type { PetState, RecordOf } from '../../src/service/schemas.js'
import type { Database } from '../../src/world/database/database.js'

export function setQuantity(db: Database, petId: string, quantity: number): void {
  db.apply({ type: 'quantity.set', petId, from: 0, to: quantity })
}

export function putPet(db: Database, pet: PetState): void {
  db.apply({ type: 'record.put', kind: 'pets', record: pet })
}

export function removePet(db: Database, petId: string): void {
  db.apply({ type: 'record.removed', kind: 'pets', id: petId })
}

export function addMessage(db: Database, message: RecordOf<'messages'>): void {
  db.apply({ type: 'message.queued', message })
}

/** Changes of a database that only `apply` of a world is to make. */
export function rejectChange(): never {
  throw new Error('the database of this test has no world')
}
