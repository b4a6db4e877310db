import type { PetRow } from '../client/shapes.js'

/** PetStatus (spec §2), and the status of a store order (A04); a test holds them against both. */
export const petStatuses = ['available', 'pending', 'sold'] as const
export const orderStatuses = ['placed', 'approved', 'delivered'] as const

/** One past the highest id of the pets whose ids are exact numbers. */
export function findFreePetId(pets: readonly Pick<PetRow, 'petId'>[]): number {
  const taken = pets.map(({ petId }) => petId).filter((id) => typeof id === 'number')
  return taken.reduce((highest, id) => Math.max(highest, id), 0) + 1
}
