import {
  type Check,
  type Deviation,
  type Deviations,
  expectRejection,
  expectResponse,
  expectRouted,
  expectStatus,
  expectThat,
  toSkip,
} from '../check.js'
import {
  type Entry,
  findEntry,
  isInt64Number,
  isInteger,
  listInventory,
  pickEntry,
  pickNeighbours,
  pickUnknownId,
  readEntries,
  toEntries,
  update,
} from '../inventory.js'
import type { CheckRequest, Credential, Exchange } from '../request.js'
import { describeResponse, isRejected, isSuccess, isUnrouted, toObject } from '../response.js'
import { type Session, Skip } from '../session.js'

const badRequest = '§4.2 400 | The body is missing required fields or contains invalid values'
const unauthorized = '§4.2 401 | The API key is missing or invalid'

/** §4.2, InventoryUpdate of §2, and §3. All of them change data, at least of a deviating service. */
export const updateInventoryChecks: readonly Check[] = [
  {
    id: 'update-inventory.path',
    statement: '§4.2 Method and path: `PATCH /inventory/{petId}`.',
    writes: 2,
    run: async (session) => expectRouted(await keepQuantity(session)),
  },
  {
    id: 'update-inventory.success',
    statement: '§4.2 Success, 200: the updated InventoryItem.',
    writes: 2,
    async run(session) {
      const { status } = await pickEntry(session)
      const exchange = await keepQuantity(session)
      if (isUnrouted(exchange)) throw toSkip('updateInventory', exchange)
      if (exchange.status !== 200) return expectStatus(exchange, 200)
      const item = toObject(exchange.json) ?? {}
      const isItem = isInt64Number(item.petId) && isInteger(item.quantity) && item.status === status
      return expectResponse(exchange, isItem, `petId, quantity and the status ${status}`)
    },
  },
  {
    id: 'update-inventory.uses',
    statement: '§1 The stated uses are recording new arrivals, returns and manual adjustments.',
    writes: 4,
    async run(session) {
      const { petId, quantity } = await pickEntry(session)
      const set = (value: number) => sendUpdate(session, update(petId, { quantity: value }))
      // The specification does not state the bounds of quantity, but the current quantity is within
      // them.
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
    statement: '§4.2 It is the identifier of the pet whose stock is updated.',
    restated: ['§1 A client sets the stock quantity of one pet.'],
    writes: 9,
    run: expectOneChange,
  },
  {
    id: 'update-inventory.quantity',
    statement: '§2 quantity | integer | yes | The new stock count',
    writes: 11,
    async run(session) {
      const { petId, quantity } = await pickEntry(session)
      // More digits than a float, more than 32 bits; beyond 2^53, JSON numbers are not interoperable.
      const edges = [0, -1, 2 ** 31 + 1, Number.MAX_SAFE_INTEGER]
      const deviations: Deviation[] = []
      let stored = quantity
      for (const sent of [quantity + 7, ...edges]) {
        const exchange = await sendUpdate(session, update(petId, { quantity: sent }))
        const list = await session.send(listInventory)
        const after = findEntry(list, petId)
        deviations.push(...expectStored(exchange, after, sent, stored))
        stored = after?.quantity ?? stored
      }
      return deviations
    },
  },
  {
    id: 'update-inventory.no-status',
    statement: '§3 The updating operation takes only `quantity` and does not accept a status.',
    writes: 3,
    async run(session) {
      const { petId, quantity, status } = await pickEntry(session)
      const other = status === 'sold' ? 'pending' : 'sold'
      const exchange = await sendUpdate(session, update(petId, { quantity, status: other }))
      const after = findEntry(await session.send(listInventory), petId)
      const returned = exchange.status === 200 ? toObject(exchange.json)?.status : undefined
      const isKept = after?.status === status && (returned ?? status) === status
      const actual = `the status ${after?.status}, after ${describeResponse(exchange)}`
      return expectThat(isKept, `the status ${status} as before`, actual, exchange)
    },
  },
  {
    id: 'update-inventory.path-parameter',
    statement: '§4.2 Path parameter: `petId`, integer int64, required.',
    writes: 4,
    async run(session) {
      const { petId, quantity } = await pickEntry(session)
      const deviations: Deviation[] = []
      for (const id of ['not-an-integer', `${petId}x`, String(2n ** 63n)]) {
        const exchange = await sendUpdate(session, update(id, { quantity }))
        deviations.push(...expectRejection(exchange, `the petId ${id}, which is not an int64`))
      }
      return deviations
    },
  },
  {
    id: 'update-inventory.int64',
    statement: '§4.2 Path parameter: `petId`, integer int64, required.',
    writes: 3,
    async run(session) {
      const { entry, unknownId } = pickNeighbours(await readEntries(session))
      const { petId, quantity } = entry
      const known = await sendUpdate(session, update(petId, { quantity }))
      const isExact = known.status === 200 && isId(toObject(known.json)?.petId, petId)
      const unknown = await sendUpdate(session, update(unknownId, { quantity }))
      const missing = `status 404 for the petId ${unknownId}, which no entry has`
      return [
        ...expectResponse(known, isExact, `status 200 with the petId ${petId}, with all digits`),
        ...expectResponse(unknown, unknown.status === 404, missing),
      ]
    },
  },
  {
    id: 'update-inventory.no-body',
    statement:
      '§4.2 Request body (required): InventoryUpdate, with the single required integer `quantity`.',
    writes: 3,
    run: (session) => expectBadRequests(session, [undefined]),
  },
  {
    id: 'update-inventory.missing-quantity',
    statement: badRequest,
    restated: ['§7 400 | Bad request: missing required fields or invalid values | updateInventory'],
    writes: 6,
    run: (session) => expectBadRequests(session, ['{}', '[]', 'null', '{"quantity":']),
  },
  {
    id: 'update-inventory.invalid-quantity',
    statement: badRequest,
    writes: 11,
    async run(session) {
      const { quantity } = await pickEntry(session)
      const values = [String(quantity), '', quantity + 0.5, null, true, false, [], [quantity], {}]
      return expectBadRequests(
        session,
        values.map((value) => JSON.stringify({ quantity: value })),
      )
    },
  },
  {
    id: 'update-inventory.missing-key',
    statement: unauthorized,
    writes: 2,
    run: (session) => expectUnauthorized(session, 'missing'),
  },
  {
    id: 'update-inventory.invalid-key',
    statement: unauthorized,
    writes: 2,
    run: (session) => expectUnauthorized(session, 'unknown'),
  },
  {
    id: 'update-inventory.unknown-pet',
    statement: "§4.2 404 | The requested resource (the pet's entry) cannot be found",
    restated: ['§7 404 | Resource not found | updateInventory'],
    writes: 2,
    async run(session) {
      const petId = await pickUnknownId(session)
      return expectStatus(await sendUpdate(session, update(petId, { quantity: 1 })), 404)
    },
  },
]

/** Sets the quantity that the pet has. */
async function keepQuantity(session: Session): Promise<Exchange> {
  const { petId, quantity } = await pickEntry(session)
  return session.observe(update(petId, { quantity }))
}

async function expectUnauthorized(session: Session, credential: Credential): Promise<Deviations> {
  const { petId, quantity } = await pickEntry(session)
  return expectStatus(
    await sendUpdate(session, { ...update(petId, { quantity }), credential }),
    401,
  )
}

/** Whether a value is the number that a string has in decimal digits. */
function isId(value: unknown, petId: string): boolean {
  return isInteger(value) && String(value) === petId
}

/** Sends a request. @throws {Skip} If there is no such operation, which another check reports. */
async function sendUpdate(session: Session, request: CheckRequest): Promise<Exchange> {
  const exchange = await session.send(request)
  if (exchange.status === 405) throw toSkip('updateInventory', exchange)
  return exchange
}

/** Returns the deviation if a quantity is neither stored exactly nor rejected without a change. */
function expectStored(
  exchange: Exchange,
  after: Entry | undefined,
  sent: number,
  before: number,
): Deviations {
  if (!after) return expectThat(false, 'an entry of the pet in the inventory', 'none', exchange)
  const isKept = isRejected(exchange)
  if (!isSuccess(exchange) && !isKept) {
    return expectResponse(exchange, false, `status 200 or 400 for the quantity ${sent}`)
  }
  const stored = isKept ? before : sent
  const item = isKept ? {} : (toObject(exchange.json) ?? {})
  // `update-inventory.success` reports a missing field.
  const { quantity = stored, status: returned = after.status } = item
  const isExact = quantity === sent || isKept
  const isSame = returned === after.status
  const state = `the status ${after.status} in the response, as in the inventory`
  const context = `after a response with ${exchange.status} to ${exchange.request.body}`
  const expected = `the quantity ${stored} in the inventory ${context}`
  return [
    ...expectThat(isExact, `the quantity ${sent} in the response`, item, exchange),
    ...expectThat(isSame, state, item, exchange),
    ...expectThat(after.quantity === stored, expected, after.quantity, exchange),
  ]
}

/** Changes a pet, and compares the others. */
async function expectOneChange(session: Session): Promise<Deviations> {
  const { petId, quantity } = await pickEntry(session)
  let before = await session.send(listInventory)
  let found: Deviations = []
  let accepted = 0
  for (const sent of [quantity + 1, quantity - 1, quantity + 2]) {
    const exchange = await sendUpdate(session, update(petId, { quantity: sent }))
    if (exchange.status !== 200) continue // out of the bounds, which are not shown
    const returned = toObject(exchange.json)?.petId
    // `update-inventory.success` reports a missing field.
    const isOther = returned !== undefined && !isId(returned, petId)
    if (isOther) return expectThat(false, `petId ${petId}`, returned, exchange)
    const after = await session.send(listInventory)
    const changed = findChanged(before, after).filter((id) => id !== petId)
    if (changed.length === 0) return []
    const actual = `the pet ${changed.join(', ')} changed too`
    found = expectThat(false, `a change of the pet ${petId} only`, actual, exchange)
    before = after
    accepted += 1
  }
  if (accepted === 0) throw new Skip('updateInventory rejected each of three quantities')
  // Another client may have changed them. It would then also do so without an update.
  const isBusy = findChanged(before, await session.send(listInventory)).length > 0
  if (isBusy) throw new Skip('other clients change the inventory')
  return found
}

/** Returns the ids of the entries that differ between two lists. */
function findChanged(before: Exchange, after: Exchange): readonly string[] {
  const known = new Map(toEntries(before).map((entry) => [entry.petId, entry]))
  const changed = toEntries(after).filter(({ petId, quantity, status }) => {
    const other = known.get(petId)
    known.delete(petId)
    return other?.quantity !== quantity || other.status !== status
  })
  return [...changed.map(({ petId }) => petId), ...known.keys()]
}

/** Sends bodies that must be rejected with 400, and must change nothing. */
async function expectBadRequests(
  session: Session,
  bodies: readonly (string | undefined)[],
): Promise<Deviations> {
  const { petId, quantity } = await pickEntry(session)
  const deviations: Deviation[] = []
  let last: Exchange | undefined
  for (const body of bodies) {
    last = await sendUpdate(session, update(petId, body))
    deviations.push(...expectStatus(last, 400))
  }
  const after = findEntry(await session.send(listInventory), petId)
  const isKept = deviations.length > 0 || after?.quantity === quantity
  const expected = `the quantity ${quantity} as before the rejected updates`
  const kept = expectThat(isKept, expected, after?.quantity, ...(last ? [last] : []))
  return [...deviations, ...kept]
}
