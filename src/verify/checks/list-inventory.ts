import { petStatusSchema } from '../../service/schemas.js'
import {
  type Check,
  expectResponse,
  expectRouted,
  expectStatus,
  expectThat,
  respondsWith,
  toSkip,
} from '../check.js'
import { isInt64Number, isInteger, listInventory, toEntries, toNoList } from '../inventory.js'
import type { Exchange } from '../request.js'
import { describeValue, isString, isUnrouted, toObject } from '../response.js'
import { Skip } from '../session.js'

const success =
  '§4.1 Success, 200: a JSON array of InventoryItem objects, one entry per pet in the store.'
const rejected = '§4.1 Error, 401: Error object (missing or invalid API key).'

/** §4.1, InventoryItem and PetStatus of §2, and §3. */
export const listInventoryChecks: readonly Check[] = [
  {
    id: 'list-inventory.path',
    statement: '§4.1 Method and path: `GET /inventory`.',
    restated: ['§introduction Paths are relative to {base_url}.', '§4.1 Request body: none.'],
    run: async ({ observe }) => expectRouted(await observe(listInventory)),
  },
  {
    id: 'list-inventory.success',
    statement: success,
    restated: [
      '§1 A client lists the stock entries of all pets.',
      '§1 The inventory area tracks stock levels for pets.',
    ],
    async run({ observe }) {
      const exchange = await observe(listInventory)
      if (isUnrouted(exchange)) throw toSkip('listInventory', exchange)
      const { status, json } = exchange
      if (status !== 200) return expectStatus(exchange, 200)
      const isList = Array.isArray(json) && json.every((entry) => toObject(entry) !== undefined)
      return expectResponse(exchange, isList, 'a JSON array of objects')
    },
  },
  {
    id: 'list-inventory.one-entry-per-pet',
    statement: success,
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
    statement: '§4.1 Parameters: none.',
    async run({ observe, send }) {
      const queried = await observe({ path: '/inventory?status=sold&limit=1' })
      const ids = toIds(queried)
      const list = await observe(listInventory)
      // Others may have added or removed a pet in between.
      const isSame = ids === toIds(list) || ids === toIds(await send(listInventory))
      const actual = `the petIds ${ids || 'of no entry'}`
      return expectThat(isSame, 'the same entries with and without a query', actual, list, queried)
    },
  },
  {
    id: 'list-inventory.missing-key',
    statement: rejected,
    restated: ['§5 When the key is missing or invalid, the response is 401 with an Error body.'],
    run: respondsWith(401, { ...listInventory, credential: 'missing' }),
  },
  {
    id: 'list-inventory.invalid-key',
    statement: rejected,
    run: respondsWith(401, { ...listInventory, credential: 'unknown' }),
  },
  {
    id: 'inventory-item.pet-id',
    statement: '§2 petId | integer, int64 | yes | Identifier of the animal the entry tracks',
    run: checkField('petId', 'an int64 as a JSON number', isInt64Number),
  },
  {
    id: 'inventory-item.quantity',
    statement: '§2 quantity | integer | yes | Current stock count',
    run: checkField('quantity', 'an integer', isInteger),
  },
  {
    id: 'inventory-item.status',
    statement: '§2 status | PetStatus (string enum) | yes | Status of the pet',
    run: checkField('status', 'a string', isString),
  },
  {
    id: 'pet-status.values',
    statement: '§2 Allowed values: `available`, `pending`, `sold`.',
    restated: [
      '§3 The only state set given is the PetStatus of an inventory entry.',
      ...petStatusSchema.options.map((status) => `§3 ${status} | listed value`),
    ],
    run: checkField('status', petStatusSchema.options.join(', '), isAllowed),
  },
]

function toIds(list: Exchange): string {
  const ids = toEntries(list).map(({ petId }) => petId)
  return ids.toSorted().join(', ')
}

/** A status of another type does not agree with `inventory-item.status`. */
function isAllowed(value: unknown): boolean {
  return !isString(value) || petStatusSchema.safeParse(value).success
}

/** Returns the function of a check of a field of each entry. */
function checkField(
  name: string,
  expected: string,
  isMet: (value: unknown) => boolean,
): Check['run'] {
  return async ({ observe }) => {
    const exchange = await observe(listInventory)
    if (!Array.isArray(exchange.json)) throw toNoList(exchange)
    const entries = exchange.json.map(toObject).filter((entry) => entry !== undefined)
    if (entries.length === 0) throw new Skip('the inventory is empty')
    const others = entries.filter((entry) => !isMet(entry[name]))
    const count = others.length > 1 ? `${others.length} entries, such as ` : ''
    const value = others[0]?.[name]
    // The quotation marks distinguish a string from the other types.
    const shown = describeValue(isString(value) ? JSON.stringify(value) : value)
    const isEmpty = others.length === 0
    return expectThat(isEmpty, `${name} is ${expected}`, `${count}${shown}`, exchange)
  }
}
