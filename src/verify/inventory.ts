import { isInt64 } from '../service/int64.js'
import { toSkip } from './check.js'
import type { CheckRequest, Exchange } from './request.js'
import { toObject } from './response.js'
import { type Session, Skip } from './session.js'

export const listInventory: CheckRequest = { path: '/inventory' }

/** An entry of the inventory whose fields agree with the specification. */
export interface Entry {
  /** In decimal digits. */
  readonly petId: string
  readonly quantity: number
  readonly status: string
}

/** Maximum age of the inventory before a change, in milliseconds, because others may change it too. */
const maxAgeMs = 5_000

/**
 * Returns the entries of the inventory.
 *
 * @throws {Skip} If the response is not a list of entries.
 */
export async function readEntries(session: Session): Promise<readonly Entry[]> {
  return toEntries(await session.observe(listInventory, maxAgeMs))
}

/** Returns the entries of a response. @throws {Skip} If it is not a list of entries. */
export function toEntries(exchange: Exchange): readonly Entry[] {
  const { status, json } = exchange
  if (status !== 200 || !Array.isArray(json)) throw toNoList(exchange)
  return json.map((value: unknown) => {
    const entry = toEntry(value)
    if (entry) return entry
    throw new Skip('listInventory returned an entry with missing or invalid fields')
  })
}

/** Returns why a check cannot use a response to listInventory. */
export function toNoList(exchange: Exchange): Skip {
  if (exchange.status !== 200) return toSkip('listInventory', exchange)
  return new Skip('listInventory responded with 200, but without a JSON array')
}

/** Returns the entry of a pet in a list; undefined if the list has none. */
export function findEntry({ json }: Exchange, petId: string): Entry | undefined {
  if (!Array.isArray(json)) return undefined
  return json.map(toEntry).find((entry) => entry?.petId === petId)
}

/** Converts a value to an entry; undefined if fields are missing or invalid. */
export function toEntry(value: unknown): Entry | undefined {
  const { petId, quantity, status } = toObject(value) ?? {}
  const isValid = isInteger(petId) && typeof quantity === 'number' && typeof status === 'string'
  return isValid ? { petId: String(petId), quantity, status } : undefined
}

/**
 * Returns the entry whose quantity the checks change.
 *
 * @throws {Skip} If there is no such entry.
 */
export async function pickEntry(session: Session): Promise<Entry> {
  const entries = await readEntries(session)
  const { petId } = session.options
  const [first] = entries
  const found = petId === undefined ? first : entries.find((entry) => entry.petId === petId)
  if (found) return found
  throw new Skip(petId ? `no pet ${petId} in the inventory` : 'the inventory is empty')
}

/**
 * Returns two ids that are equal as doubles: the id of an entry, and an unused id.
 *
 * @throws {Skip} If the inventory has no such id.
 */
export function pickNeighbours(entries: readonly Entry[]): { entry: Entry; unknownId: string } {
  const known = new Set(entries.map(({ petId }) => petId))
  for (const entry of entries) {
    for (const step of [1n, -1n]) {
      const id = BigInt(entry.petId)
      const unknownId = String(id + step)
      const isSame = Number(id) === Number(id + step)
      if (isSame && isInt64(unknownId) && !known.has(unknownId)) return { entry, unknownId }
    }
  }
  throw new Skip('the inventory has no petId that a double would take for another one')
}

/** Returns an int64 that no entry has. */
export async function pickUnknownId(session: Session): Promise<string> {
  const known = new Set((await readEntries(session)).map(({ petId }) => petId))
  let id = 987_654_321_987n
  while (known.has(String(id))) id += 1n
  return String(id)
}

/**
 * Returns a request that sets the quantity of a pet.
 *
 * @param body A string is sent as it is, an object as JSON; without a body if it is undefined.
 */
export function update(petId: string, body: object | string | undefined): CheckRequest {
  const headers = { 'Content-Type': 'application/json' }
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  return { method: 'PATCH', path: `/inventory/${petId}`, headers, body: text }
}

/** Whether a value is a JSON integer in the range of an int64. */
export function isInt64Number(value: unknown): boolean {
  return isInteger(value) && isInt64(String(value))
}

/** Whether a value of `parseExactJson` is an integer. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}
