import {
  type Deviation,
  type Deviations,
  expectResponse,
  expectStatus,
  expectThat,
  toSkip,
} from '../check.js'
import {
  type Entry,
  findEntry,
  isInteger,
  listInventory,
  pickEntry,
  toEntries,
  update,
} from '../inventory.js'
import type { CheckRequest, Exchange } from '../request.js'
import { describeValue, isRejected, isSuccess, toObject } from '../response.js'
import { type Session, Skip } from '../session.js'

/** Whether a value is the number that a string has in decimal digits. */
export function isId(value: unknown, petId: string): boolean {
  return isInteger(value) && String(value) === petId
}

/** Sends a request. @throws {Skip} If there is no such operation: its own check reports that. */
export async function sendUpdate(session: Session, request: CheckRequest): Promise<Exchange> {
  const exchange = await session.send(request)
  if (exchange.status === 405) throw toSkip('updateInventory', exchange)
  return exchange
}

/** Returns what deviates if a quantity is not stored exactly, or not rejected as a whole. */
export function expectStored(
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
  const context = `after a response with ${exchange.status} to ${exchange.request.body}`
  const found = describeValue(item)
  return [
    ...expectThat(
      quantity === sent || isKept,
      `the quantity ${sent} in the response`,
      found,
      exchange,
    ),
    ...expectThat(
      returned === after.status,
      `the status ${after.status} in the response, as in the inventory`,
      found,
      exchange,
    ),
    ...expectThat(
      after.quantity === stored,
      `the quantity ${stored} in the inventory ${context}`,
      String(after.quantity),
      exchange,
    ),
  ]
}

/** Changes a pet, and compares the others. */
export async function expectOneChange(session: Session): Promise<Deviations> {
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
    if (isOther) return expectThat(false, `petId ${petId}`, describeValue(returned), exchange)
    const after = await session.send(listInventory)
    const changed = findChanged(before, after).filter((id) => id !== petId)
    if (changed.length === 0) return []
    const actual = `the pet ${changed.join(', ')} changed too`
    found = expectThat(false, `a change of the pet ${petId} only`, actual, exchange)
    before = after
    accepted += 1
  }
  if (accepted === 0) throw new Skip('updateInventory rejected each of three quantities')
  // Another client may have changed them, which it then does without an update too.
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
export async function expectBadRequests(
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
  const kept = expectThat(isKept, expected, describeValue(after?.quantity), ...(last ? [last] : []))
  return [...deviations, ...kept]
}
