import { petStatusSchema } from '../../service/schemas.js'
import { type Check, type CheckClient, type Deviation, type Exchange, Skip } from '../check.js'
import {
  describeRequest,
  describeResponse,
  describeValue,
  expectStatus,
  expectThat,
  isString,
  isUnrouted,
  toObject,
  toSkip,
} from '../deviation.js'
import {
  isInt64Number,
  isInteger,
  listInventory,
  readNewEntries,
  toEntries,
  toNoList,
} from '../inventory.js'

const success = {
  section: '4.1',
  sentence: 'Success, 200: a JSON array of InventoryItem objects, one entry per pet in the store.',
}
const rejected = {
  section: '4.1',
  sentence: 'Error, 401: Error object (missing or invalid API key).',
}

/** §4.1, InventoryItem and PetStatus of §2, and §3. */
export const listInventoryChecks: readonly Check[] = [
  {
    id: 'list-inventory.path',
    section: '4.1',
    sentence: 'Method and path: `GET /inventory`.',
    restated: [
      { section: 'introduction', sentence: 'Paths are relative to {base_url}.' },
      { section: '4.1', sentence: 'Request body: none.' },
    ],
    requests: 1,
    async run({ observe }) {
      const exchange = await observe(listInventory)
      const expected = `an operation at ${describeRequest(listInventory)}`
      return expectThat(!isUnrouted(exchange), expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'list-inventory.success',
    ...success,
    restated: [
      { section: '1', sentence: 'A client lists the stock entries of all pets.' },
      { section: '1', sentence: 'The inventory area tracks stock levels for pets.' },
    ],
    requests: 1,
    async run({ observe }) {
      const exchange = await observe(listInventory)
      if (isUnrouted(exchange)) throw toSkip('listInventory', exchange)
      const { status, json } = exchange
      if (status !== 200) return expectStatus(exchange, 200)
      const isList = Array.isArray(json) && json.every((entry) => toObject(entry) !== undefined)
      return expectThat(isList, 'a JSON array of objects', describeResponse(exchange), exchange)
    },
  },
  {
    id: 'list-inventory.one-entry-per-pet',
    ...success,
    requests: 1,
    async run({ observe }) {
      const exchange = await observe(listInventory)
      const ids = toEntries(exchange).map(({ petId }) => petId)
      const known = new Set<string>()
      const repeated = ids.find((id) => known.size === known.add(id).size)
      const actual = `several entries with the petId ${repeated}`
      return expectThat(repeated === undefined, 'one entry for each petId', actual, exchange)
    },
  },
  {
    id: 'list-inventory.no-parameters',
    section: '4.1',
    sentence: 'Parameters: none.',
    requests: 3,
    async run(client) {
      const queried = await client.observe({ path: '/inventory?status=sold&limit=1' })
      const ids = toIds(toEntries(queried))
      const list = await client.observe(listInventory)
      // Others may have added or removed a pet in between.
      const isSame = ids === toIds(toEntries(list)) || ids === toIds(await readNewEntries(client))
      const actual = `the petIds ${ids || 'of no entry'}`
      return expectThat(isSame, 'the same entries with and without a query', actual, list, queried)
    },
  },
  {
    id: 'list-inventory.missing-key',
    ...rejected,
    restated: [
      {
        section: '5',
        sentence: 'When the key is missing or invalid, the response is 401 with an Error body.',
      },
    ],
    requests: 1,
    run: async ({ observe }) =>
      expectStatus(await observe({ ...listInventory, credential: 'missing' }), 401),
  },
  {
    id: 'list-inventory.invalid-key',
    ...rejected,
    requests: 1,
    run: async ({ observe }) =>
      expectStatus(await observe({ ...listInventory, credential: 'unknown' }), 401),
  },
  {
    id: 'inventory-item.pet-id',
    section: '2',
    sentence: 'petId | integer, int64 | yes | Identifier of the animal the entry tracks',
    requests: 1,
    run: (client) => expectField(client, 'petId', 'an int64 as a JSON number', isInt64Number),
  },
  {
    id: 'inventory-item.quantity',
    section: '2',
    sentence: 'quantity | integer | yes | Current stock count',
    requests: 1,
    run: (client) => expectField(client, 'quantity', 'an integer', isInteger),
  },
  {
    id: 'inventory-item.status',
    section: '2',
    sentence: 'status | PetStatus (string enum) | yes | Status of the pet',
    requests: 1,
    run: (client) => expectField(client, 'status', 'a string', isString),
  },
  {
    id: 'pet-status.values',
    section: '2',
    sentence: 'Allowed values: `available`, `pending`, `sold`.',
    restated: [
      {
        section: '3',
        sentence: 'The only state set given is the PetStatus of an inventory entry.',
      },
      ...petStatusSchema.options.map((status) => ({
        section: '3',
        sentence: `${status} | listed value`,
      })),
    ],
    requests: 1,
    run: (client) => expectField(client, 'status', toWantedStatus(), isAllowed),
  },
]

function toIds(entries: readonly { readonly petId: string }[]): string {
  return entries
    .map(({ petId }) => petId)
    .toSorted()
    .join(', ')
}

/** A status of another type does not agree with `inventory-item.status`. */
function isAllowed(value: unknown): boolean {
  return !isString(value) || petStatusSchema.safeParse(value).success
}

function toWantedStatus(): string {
  return petStatusSchema.options.join(', ')
}

/** Returns one deviation if a field of any entry is not as expected. */
async function expectField(
  { observe }: CheckClient,
  name: string,
  expected: string,
  isMet: (value: unknown) => boolean,
): Promise<readonly Deviation[]> {
  const exchange = await observe(listInventory)
  const entries = toObjects(exchange)
  const others = entries.filter((entry) => !isMet(entry[name]))
  const count = others.length > 1 ? `${others.length} entries, such as ` : ''
  const actual = `${count}${describeValue(toQuoted(others[0]?.[name]))}`
  return expectThat(others.length === 0, `${name} is ${expected}`, actual, exchange)
}

function toObjects(exchange: Exchange): readonly Readonly<Record<string, unknown>>[] {
  const { json } = exchange
  if (!Array.isArray(json)) throw toNoList(exchange)
  const entries = json.map(toObject).filter((entry) => entry !== undefined)
  if (entries.length === 0) throw new Skip('the inventory is empty')
  return entries
}

/** Shows that a string is none of the other types. */
function toQuoted(value: unknown): unknown {
  return isString(value) ? JSON.stringify(value) : value
}
