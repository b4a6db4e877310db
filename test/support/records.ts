import { mapKinds, type Records } from '../../src/service/records.js'
import type { KindName, Pet } from '../../src/service/schemas.js'
import type { SharedRecords } from '../../src/world/database/database.js'
import { loadRow, Rows, selectNewest } from '../../src/world/database/rows.js'

/** Loads the records of a scenario without pauses. */
export function shareRecords(records: Records): SharedRecords {
  return mapKinds<SharedRecords>((kind) => {
    const rows = new Rows<KindName>(kind)
    for (const record of selectNewest<KindName>(kind, records[kind])) loadRow(rows, record)
    return rows
  })
}

/** Returns a pet with every documented field. */
export function createPet(petId: string, quantity = 1): Pet {
  const lists = { photoUrls: [], tags: [] }
  return { petId, name: `Pet ${petId}`, quantity, status: 'available', category: 'dog', ...lists }
}
