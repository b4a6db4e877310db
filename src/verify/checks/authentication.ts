import { type Check, respondsWith } from '../check.js'
import { listInventory, pickEntry } from '../inventory.js'

/** §5. The checks of each operation include its 401. */
export const authenticationChecks: readonly Check[] = [
  {
    id: 'authentication.bearer',
    statement:
      '§5 The API key is passed as the bearer token in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    restated: ['§5 Scheme: HTTP bearer.'],
    run: respondsWith(
      401,
      { ...listInventory, credential: 'without-scheme' },
      { ...listInventory, credential: 'other-scheme' },
    ),
  },
  {
    id: 'authentication.every-operation',
    statement: '§5 The scheme applies to every operation by default.',
    restated: [
      '§1 All operations need a bearer credential (section 5).',
      '§4 All require the bearer credential of section 5.',
      '§7 401 | Missing or invalid API key | all operations',
    ],
    async run(session) {
      const { petId } = await pickEntry(session)
      const requests = [`/pets/${petId}`, '/store/orders'].flatMap((path) => [
        { path, credential: 'missing' } as const,
        { path, credential: 'unknown' } as const,
      ])
      return respondsWith(401, ...requests)(session)
    },
  },
]
