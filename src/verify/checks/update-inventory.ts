import type { Check, CheckClient, Credential, Deviation, Exchange } from '../check.js'
import {
  describeRequest,
  describeResponse,
  expectRejection,
  expectStatus,
  expectThat,
  isSuccess,
  isUnrouted,
  toObject,
  toSkip,
} from '../deviation.js'
import {
  findEntry,
  isInt64Number,
  isInteger,
  listInventory,
  pickEntry,
  pickNeighbours,
  pickUnknownId,
  readEntries,
  update,
} from '../inventory.js'

import { expectBadRequests, expectOneChange, expectStored, isId, sendUpdate } from './stored.js'

const section = '4.2'
const badRequest = {
  section,
  sentence: '400 | The body is missing required fields or contains invalid values',
}
const unauthorized = { section, sentence: '401 | The API key is missing or invalid' }

/** §4.2, InventoryUpdate of §2, and §3. All of them change data, or would if the service deviates. */
export const updateInventoryChecks = define([
  {
    id: 'update-inventory.path',
    section,
    sentence: 'Method and path: `PATCH /inventory/{petId}`.',
    requests: 2,
    async run(client) {
      const exchange = await keepQuantity(client)
      const expected = `an operation at ${describeRequest(exchange.request)}`
      return expectThat(!isUnrouted(exchange), expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'update-inventory.success',
    section,
    sentence: 'Success, 200: the updated InventoryItem.',
    requests: 2,
    async run(client) {
      const { status } = await pickEntry(client)
      const exchange = await keepQuantity(client)
      if (isUnrouted(exchange)) throw toSkip('updateInventory', exchange)
      if (exchange.status !== 200) return expectStatus(exchange, 200)
      const item = toObject(exchange.json) ?? {}
      const isItem = isInt64Number(item.petId) && isInteger(item.quantity) && item.status === status
      const expected = `petId, quantity and the status ${status}`
      return expectThat(isItem, expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'update-inventory.uses',
    section: '1',
    sentence: 'The stated uses are recording new arrivals, returns and manual adjustments.',
    requests: 4,
    async run(client) {
      const { petId, quantity } = await pickEntry(client)
      const set = (value: number) => sendUpdate(client, update(petId, { quantity: value }))
      // The bounds of quantity are not shown, but the current one is within them.
      const more = await set(quantity + 1)
      const other = isSuccess(more) ? more : await set(quantity - 1)
      const exchange = isSuccess(other) ? await set(quantity) : other
      const expected = `a success for a larger or a smaller quantity than ${quantity}, and back`
      const actual = `${describeResponse(exchange)} to ${exchange.request.body}`
      return expectThat(isSuccess(exchange), expected, actual, other, exchange)
    },
  },
  {
    id: 'update-inventory.pet-id',
    section,
    sentence: 'It is the identifier of the pet whose stock is updated.',
    restated: [{ section: '1', sentence: 'A client sets the stock quantity of one pet.' }],
    requests: 9,
    run: expectOneChange,
  },
  {
    id: 'update-inventory.quantity',
    section: '2',
    sentence: 'quantity | integer | yes | The new stock count',
    requests: 11,
    async run(client) {
      const { petId, quantity } = await pickEntry(client)
      // More digits than a float, more than 32 bits; beyond 2^53, JSON numbers are not interoperable.
      const edges = [0, -1, 2 ** 31 + 1, Number.MAX_SAFE_INTEGER]
      const deviations: Deviation[] = []
      let stored = quantity
      for (const sent of [quantity + 7, ...edges]) {
        const exchange = await sendUpdate(client, update(petId, { quantity: sent }))
        const list = await client.send(listInventory)
        const after = findEntry(list, petId)
        deviations.push(...expectStored(exchange, after, sent, stored))
        stored = after?.quantity ?? stored
      }
      return deviations
    },
  },
  {
    id: 'update-inventory.no-status',
    section: '3',
    sentence: 'The updating operation takes only `quantity` and does not accept a status.',
    requests: 3,
    async run(client) {
      const { petId, quantity, status } = await pickEntry(client)
      const other = status === 'sold' ? 'pending' : 'sold'
      const exchange = await sendUpdate(client, update(petId, { quantity, status: other }))
      const after = findEntry(await client.send(listInventory), petId)
      const returned = exchange.status === 200 ? toObject(exchange.json)?.status : undefined
      const isKept = after?.status === status && (returned ?? status) === status
      const actual = `the status ${after?.status}, after ${describeResponse(exchange)}`
      return expectThat(isKept, `the status ${status} as before`, actual, exchange)
    },
  },
  {
    id: 'update-inventory.path-parameter',
    section,
    sentence: 'Path parameter: `petId`, integer int64, required.',
    requests: 4,
    async run(client) {
      const { petId, quantity } = await pickEntry(client)
      const deviations: Deviation[] = []
      for (const id of ['not-an-integer', `${petId}x`, String(2n ** 63n)]) {
        const exchange = await sendUpdate(client, update(id, { quantity }))
        deviations.push(...expectRejection(exchange, `the petId ${id}, which is not an int64`))
      }
      return deviations
    },
  },
  {
    id: 'update-inventory.int64',
    section,
    sentence: 'Path parameter: `petId`, integer int64, required.',
    requests: 3,
    async run(client) {
      const { entry, unknownId } = pickNeighbours(await readEntries(client))
      const { petId, quantity } = entry
      const known = await sendUpdate(client, update(petId, { quantity }))
      const isExact = known.status === 200 && isId(toObject(known.json)?.petId, petId)
      const unknown = await sendUpdate(client, update(unknownId, { quantity }))
      const expected = `status 200 with the petId ${petId}, with all digits`
      return [
        ...expectThat(isExact, expected, describeResponse(known), known),
        ...expectThat(
          unknown.status === 404,
          `status 404 for the petId ${unknownId}, which no entry has`,
          describeResponse(unknown),
          unknown,
        ),
      ]
    },
  },
  {
    id: 'update-inventory.no-body',
    section,
    sentence:
      'Request body (required): InventoryUpdate, with the single required integer `quantity`.',
    requests: 3,
    run: (client) => expectBadRequests(client, [undefined]),
  },
  {
    id: 'update-inventory.missing-quantity',
    ...badRequest,
    restated: [
      {
        section: '7',
        sentence: '400 | Bad request: missing required fields or invalid values | updateInventory',
      },
    ],
    requests: 6,
    run: (client) => expectBadRequests(client, ['{}', '[]', 'null', '{"quantity":']),
  },
  {
    id: 'update-inventory.invalid-quantity',
    ...badRequest,
    requests: 11,
    async run(client) {
      const { quantity } = await pickEntry(client)
      const values = [String(quantity), '', quantity + 0.5, null, true, false, [], [quantity], {}]
      return expectBadRequests(
        client,
        values.map((value) => JSON.stringify({ quantity: value })),
      )
    },
  },
  {
    id: 'update-inventory.missing-key',
    ...unauthorized,
    requests: 2,
    run: (client) => expectUnauthorized(client, 'missing'),
  },
  {
    id: 'update-inventory.invalid-key',
    ...unauthorized,
    requests: 2,
    run: (client) => expectUnauthorized(client, 'unknown'),
  },
  {
    id: 'update-inventory.unknown-pet',
    section,
    sentence: "404 | The requested resource (the pet's entry) cannot be found",
    restated: [{ section: '7', sentence: '404 | Resource not found | updateInventory' }],
    requests: 2,
    async run(client) {
      const petId = await pickUnknownId(client)
      return expectStatus(await sendUpdate(client, update(petId, { quantity: 1 })), 404)
    },
  },
])

function define(checks: readonly Omit<Check, 'writes'>[]): readonly Check[] {
  return checks.map((check) => ({ ...check, writes: true }))
}

/** Sets the quantity that the pet has. */
async function keepQuantity(client: CheckClient): Promise<Exchange> {
  const { petId, quantity } = await pickEntry(client)
  return client.observe(update(petId, { quantity }))
}

async function expectUnauthorized(
  client: CheckClient,
  credential: Credential,
): Promise<readonly Deviation[]> {
  const { petId, quantity } = await pickEntry(client)
  return expectStatus(await sendUpdate(client, { ...update(petId, { quantity }), credential }), 401)
}
