import { truncate } from '../service/validation/message.js'
import type { CheckClient, Exchange } from './check.js'
import { describeResponse } from './deviation.js'
import { listInventory } from './inventory.js'
import { RequestFailure } from './request.js'
import { type Session, Stop } from './session.js'

/** The service cannot be used at all. The message says why, in one line. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/**
 * Sends the first requests, which tell whether there is a service. Returns the response to
 * listInventory.
 *
 * @param requiresList Whether the response must be a list.
 * @throws {CannotVerify} If there is none, or the key cannot be used.
 */
export async function greet(
  session: Session,
  mask: (text: string) => string,
  signal: AbortSignal | undefined,
  requiresList = false,
): Promise<Exchange> {
  try {
    const exchange = await session.observe(listInventory)
    const isList = exchange.status === 200 && Array.isArray(exchange.json)
    const next = await findNextStep(session, exchange)
    if (next === undefined && (isList || !requiresList)) return exchange
    const isOther = requiresList && exchange.status === 200 ? ', which is not a JSON array' : ''
    const found = `${truncate(mask(describeResponse(exchange)), 100)}${isOther}`
    const advice = next ?? `; ${wantedBaseUrl}${await suggestBaseUrl(session)}`
    throw new CannotVerify(`GET ${session.urls.api}/inventory: ${found}${advice}`)
  } catch (error) {
    if (signal?.aborted) throw new CannotVerify('interrupted')
    if (error instanceof Stop) throw new CannotVerify(error.message)
    if (error instanceof RequestFailure) throw new CannotVerify(mask(error.message))
    throw error
  }
}

/** What the option `--url` of the commands must be. */
const wantedBaseUrl = '--url must be the base URL of the API, such as http://127.0.0.1:4010/v1'

/** The version segment of {base_url} (spec, introduction). */
const version = '/v1'

type Client = Pick<CheckClient, 'send' | 'urls'>

/**
 * Returns what the user can do if a service does not send the first response, the inventory;
 * undefined if it does. It may send further requests, to find out.
 */
async function findNextStep(
  client: Client,
  { status, json }: Exchange,
): Promise<string | undefined> {
  if (status === 401) {
    return '; the service rejects the key, set another one with --key or PETSTORE_API_KEY'
  }
  if (status >= 500) return '; try again later'
  if (status >= 300 && status < 400) return `, which is not followed; ${wantedBaseUrl}`
  if (json !== undefined && !(await isElsewhere(client, status))) return undefined
  return `; ${wantedBaseUrl}${await suggestBaseUrl(client)}`
}

/** Statuses of a path that does not exist. Gateways respond with 403 as well. */
const missingStatuses: readonly number[] = [403, 404, 405]

/** Whether a path of a second operation does not exist either. */
async function isElsewhere(client: Client, status: number): Promise<boolean> {
  if (!missingStatuses.includes(status)) return false
  const orders = await probe(client, '/store/orders')
  return orders !== undefined && missingStatuses.includes(orders.status)
}

/** Returns a clause with the URL that may be the right one; empty if it is not known. */
async function suggestBaseUrl(client: Client): Promise<string> {
  const url = client.urls.api
  if (new URL(url).pathname.endsWith(version)) return ''
  const response = await probe(client, `${version}/inventory`)
  if (!response || !isFromService(response)) return ''
  return `; try --url ${truncate(url, 300)}${version}, where GET /inventory responds with ${response.status}`
}

/** Whether a response is JSON with a status that the specification documents for the inventory. */
function isFromService({ status, headers }: Exchange): boolean {
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '')
  return isJson && [200, 401, 429].includes(status)
}

/** Sends a request. Returns undefined if it has no response. */
async function probe({ send }: Client, path: string): Promise<Exchange | undefined> {
  try {
    return await send({ path }, { mayExceed: true })
  } catch (error) {
    if (error instanceof RequestFailure) return undefined
    throw error
  }
}
