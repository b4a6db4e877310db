import { mapKinds, type Records } from '../../src/service/records.js'
import type { KindName, Pet } from '../../src/service/schemas.js'
import type { SharedRecords } from '../../src/world/database/database.js'
import { limitRecords, SharedRows } from '../../src/world/database/rows.js'

/** Loads the records of a scenario without pauses. */
export function shareRecords(records: Records): SharedRecords {
  return mapKinds<SharedRecords>((kind) => {
    const shared = new SharedRows<KindName>(kind)
    for (const record of limitRecords<KindName>(kind, records[kind])) shared.add(record)
    return shared
  })
}

/** Returns a pet with every documented field. */
export function createPet(petId: string, quantity = 1): Pet {
  const lists = { photoUrls: [], tags: [] }
  return { petId, name: `Pet ${petId}`, quantity, status: 'available', category: 'dog', ...lists }
}
