import type { Check, Deviation } from '../check.js'
import { expectStatus } from '../deviation.js'
import { listInventory, pickEntry } from '../inventory.js'

/** §5. The checks of each operation have its own 401. */
export const authenticationChecks: readonly Check[] = [
  {
    id: 'authentication.bearer',
    section: '5',
    sentence:
      'The API key is passed as the bearer token in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    restated: [{ section: '5', sentence: 'Scheme: HTTP bearer.' }],
    requests: 2,
    run: async ({ observe }) => [
      ...expectStatus(await observe({ ...listInventory, credential: 'without-scheme' }), 401),
      ...expectStatus(await observe({ ...listInventory, credential: 'other-scheme' }), 401),
    ],
  },
  {
    id: 'authentication.every-operation',
    section: '5',
    sentence: 'The scheme applies to every operation by default.',
    restated: [
      { section: '1', sentence: 'All operations need a bearer credential (section 5).' },
      { section: '4', sentence: 'All require the bearer credential of section 5.' },
      { section: '7', sentence: '401 | Missing or invalid API key | all operations' },
    ],
    requests: 5,
    async run(client) {
      const { petId } = await pickEntry(client)
      const deviations: Deviation[] = []
      for (const path of [`/pets/${petId}`, '/store/orders']) {
        for (const credential of ['missing', 'unknown'] as const) {
          deviations.push(...expectStatus(await client.observe({ path, credential }), 401))
        }
      }
      return deviations
    },
  },
]
