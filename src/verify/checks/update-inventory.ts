import { isInt64 } from '../../service/int64.js'
import {
  type Check,
  type CheckClient,
  type CheckRequest,
  type Credential,
  type Deviation,
  type Exchange,
  Skip,
} from '../check.js'
import {
  describeRequest,
  describeResponse,
  describeValue,
  expectRejection,
  expectStatus,
  expectThat,
  isSuccess,
  isUnrouted,
  toObject,
  toSkip,
} from '../deviation.js'
import { isInteger } from '../exact-json.js'
import {
  type Entry,
  isInt64Number,
  pickEntry,
  pickUnknownId,
  readEntries,
  readNewEntries,
  update,
} from '../inventory.js'

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
      const { petId, quantity } = await pickEntry(client)
      const exchange = await client.send(update(petId, { quantity }))
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
      const { petId, quantity, status } = await pickEntry(client)
      const exchange = await sendUpdate(client, update(petId, { quantity }))
      if (exchange.status !== 200) return expectStatus(exchange, 200)
      const item = toObject(exchange.json) ?? {}
      const isItem = isInt64Number(item.petId) && isInteger(item.quantity) && item.status === status
      const expected = `petId, quantity and the status ${status}`
      return expectThat(isItem, expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'update-inventory.pet-id',
    section,
    sentence: 'It is the identifier of the pet whose stock is updated.',
    restated: [{ section: '1', sentence: 'A client sets the stock quantity of one pet.' }],
    requests: 3,
    async run(client) {
      const known = new Map((await readEntries(client)).map((entry) => [entry.petId, entry]))
      const { before, exchange, sent } = await change(client)
      const { petId } = before
      const others = (await readNewEntries(client)).filter((entry) => entry.petId !== petId)
      const changed = others.filter(
        ({ petId: id, quantity }) => quantity === sent && known.get(id)?.quantity !== sent,
      )
      const found = toObject(exchange.json)?.petId
      return [
        // `update-inventory.success` reports a missing field.
        ...expectThat(
          found === undefined || isId(found, petId),
          `petId ${petId}`,
          describeValue(found),
          exchange,
        ),
        ...expectThat(
          changed.length === 0,
          `a change of the pet ${petId} only`,
          `the quantity of ${changed.map((entry) => entry.petId).join(', ')} changed too`,
          exchange,
        ),
      ]
    },
  },
  {
    id: 'update-inventory.quantity',
    section: '2',
    sentence: 'quantity | integer | yes | The new stock count',
    requests: 3,
    async run(client) {
      const { before, exchange, sent } = await change(client)
      const after = (await readNewEntries(client)).find(({ petId }) => petId === before.petId)
      const returned = toObject(exchange.json)?.quantity
      return [
        ...expectThat(
          returned === undefined || returned === sent,
          `the quantity ${sent} in the response`,
          describeValue(returned),
          exchange,
        ),
        ...expectThat(
          after?.quantity === sent,
          `the quantity ${sent} in the inventory`,
          describeValue(after?.quantity),
          exchange,
        ),
      ]
    },
  },
  {
    id: 'update-inventory.uses',
    section: '1',
    sentence: 'The stated uses are recording new arrivals, returns and manual adjustments.',
    requests: 4,
    async run(client) {
      const { petId, quantity } = await pickEntry(client)
      const deviations: Deviation[] = []
      for (const sent of [quantity + 12, quantity + 1, Math.max(0, quantity - 1)]) {
        const exchange = await sendUpdate(client, update(petId, { quantity: sent }))
        const expected = `a success for a change from ${quantity} to ${sent}`
        const actual = describeResponse(exchange)
        deviations.push(...expectThat(isSuccess(exchange), expected, actual, exchange))
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
      const after = (await readNewEntries(client)).find((entry) => entry.petId === petId)
      const actual = `the status ${after?.status}, after ${describeResponse(exchange)}`
      return expectThat(
        after?.status === status,
        `the status ${status} as before`,
        actual,
        exchange,
      )
    },
  },
  {
    id: 'update-inventory.path-parameter',
    section,
    sentence: 'Path parameter: `petId`, integer int64, required.',
    requests: 2,
    async run(client) {
      const word = await sendUpdate(client, update('not-an-integer', { quantity: 1 }))
      return expectRejection(word, 'a petId that is not an integer')
    },
  },
  {
    id: 'update-inventory.int64',
    section,
    sentence: 'Path parameter: `petId`, integer int64, required.',
    requests: 2,
    async run(client) {
      const entries = await readEntries(client)
      const large = entries.find(({ petId }) => isRounded(petId))
      if (!large) throw new Skip('the inventory has no petId that a double would round')
      const { petId, quantity } = large
      const exchange = await sendUpdate(client, update(petId, { quantity }))
      const found = toObject(exchange.json)?.petId
      const isMet = exchange.status === 200 && isId(found, petId)
      const expected = `status 200 with the petId ${petId}, with all digits`
      return expectThat(isMet, expected, describeResponse(exchange), exchange)
    },
  },
  {
    id: 'update-inventory.no-body',
    section,
    sentence:
      'Request body (required): InventoryUpdate, with the single required integer `quantity`.',
    requests: 2,
    async run(client) {
      const { petId } = await pickEntry(client)
      return expectStatus(await sendUpdate(client, update(petId, undefined)), 400)
    },
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
    requests: 2,
    async run(client) {
      const { petId } = await pickEntry(client)
      return expectStatus(await sendUpdate(client, update(petId, {})), 400)
    },
  },
  {
    id: 'update-inventory.invalid-quantity',
    ...badRequest,
    requests: 4,
    async run(client) {
      const { petId, quantity } = await pickEntry(client)
      const deviations: Deviation[] = []
      for (const value of [String(quantity), quantity + 0.5, null]) {
        const exchange = await sendUpdate(client, update(petId, { quantity: value }))
        deviations.push(...expectStatus(exchange, 400))
      }
      return deviations
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

/** Whether a double cannot represent an int64. */
function isRounded(petId: string): boolean {
  return isInt64(petId) && BigInt(Number(petId)) !== BigInt(petId)
}

/** Whether a value is the number that a string has in decimal digits. */
function isId(value: unknown, petId: string): boolean {
  return isInteger(value) && String(value) === petId
}

/** Sends a request. @throws {Skip} If there is no such operation: its own check reports that. */
async function sendUpdate(client: CheckClient, request: CheckRequest): Promise<Exchange> {
  const exchange = await client.send(request)
  if (exchange.status === 405) throw toSkip('updateInventory', exchange)
  return exchange
}

/** Sets another quantity of the entry. @throws {Skip} If the service rejects it. */
async function change(
  client: CheckClient,
): Promise<{ readonly before: Entry; readonly exchange: Exchange; readonly sent: number }> {
  const before = await pickEntry(client)
  const sent = before.quantity + 7
  const exchange = await sendUpdate(client, update(before.petId, { quantity: sent }))
  if (exchange.status !== 200) {
    throw toSkip('updateInventory', exchange)
  }
  return { before, exchange, sent }
}

async function expectUnauthorized(
  client: CheckClient,
  credential: Credential,
): Promise<readonly Deviation[]> {
  const { petId, quantity } = await pickEntry(client)
  return expectStatus(await sendUpdate(client, { ...update(petId, { quantity }), credential }), 401)
}
