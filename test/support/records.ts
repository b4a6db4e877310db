import { mapKinds, type Records } from '../../src/service/records.js'
import type { PetState } from '../../src/service/schemas.js'
import { type SharedRecords, shareRecords } from '../../src/world/database/database.js'

/** Loads the records of a scenario, which has none of the other kinds. */
export function createRecords(records: Partial<Records>): Promise<SharedRecords> {
  return shareRecords({ ...mapKinds<Records>(() => []), ...records })
}

/** Returns a pet with every documented field. */
export function createPet(petId: string, quantity = 1): PetState {
  const lists = { photoUrls: [], tags: [] }
  return { petId, name: `Pet ${petId}`, quantity, status: 'available', category: 'dog', ...lists }
}
