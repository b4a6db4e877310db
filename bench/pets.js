// The same pets for every server.

/** Creates the list that every server sends: the fields of spec §2, with ids from 1. */
export function createItems(count) {
  const statuses = ['available', 'pending', 'sold']
  return Array.from({ length: count }, (_, index) => ({
    petId: index + 1,
    quantity: index % 50,
    status: statuses[index % 3],
  }))
}

/** Creates a scenario with these pets, and with quotas that a benchmark cannot exceed. */
export function createScenario(count) {
  const unlimited = { requestsPerMinute: 1_000_000_000, requestsPerDay: 1_000_000_000 }
  const pets = createItems(count).map((item) => ({ ...item, name: `Pet ${item.petId}` }))
  return { name: 'bench', pets, plans: { enterprise: unlimited } }
}
