import { truncate } from '../service/validation/message.js'
import { listInventory } from './inventory.js'
import { type Exchange, RequestFailure } from './request.js'
import { describeResponse } from './response.js'
import type { Session } from './session.js'
import { Incomplete } from './usage-error.js'

/**
 * Sends the first requests, which show whether there is a service. Returns the response to
 * listInventory.
 *
 * @param requiresList Whether the response must be a list.
 * @throws {Incomplete} If there is no service, or the key cannot be used.
 */
export async function greet(session: Session, requiresList = false): Promise<Exchange> {
  const exchange = await session.observe(listInventory).catch((error: unknown) => {
    const isAbsent = error instanceof RequestFailure && absentCodes.test(error.message)
    if (!isAbsent) throw error
    throw new Incomplete(`${error.message}; check --url, and that the service runs`)
  })
  const { status, json } = exchange
  const isList = status === 200 && Array.isArray(json)
  const isMet = requiresList ? isList : json !== undefined
  const step = findNextStep(status)
  if (isMet && step === undefined && !(await isElsewhere(session, status))) return exchange
  const isOther = requiresList && status === 200 ? ', which is not a JSON array' : ''
  const found = `${truncate(session.mask(describeResponse(exchange)), 100)}${isOther}`
  const advice = step ?? `; ${wantedBaseUrl}${await suggestBaseUrl(session)}`
  throw new Incomplete(`GET ${session.options.urls.api}/inventory: ${found}${advice}`)
}

/** Codes of the system for a host or a port at which there is no server. */
const absentCodes = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/

/** The wanted value of the option `--url`, for messages. */
const wantedBaseUrl = '--url must be the base URL of the API, such as http://127.0.0.1:4010/v1'

/** Returns the advice for a status of the first response. */
export function findNextStep(status: number): string | undefined {
  if (status === 401) {
    return '; the service rejects the key, set another one with --key or PETSTORE_API_KEY'
  }
  if (status >= 500) return '; try again later'
  return status >= 300 && status < 400 ? `, which is not followed; ${wantedBaseUrl}` : undefined
}

/** Statuses of a path that does not exist. Gateways respond with 403 as well. */
const missingStatuses: readonly number[] = [403, 404, 405]

/** Whether the path of a second operation does not exist either. */
async function isElsewhere(session: Session, status: number): Promise<boolean> {
  if (!missingStatuses.includes(status)) return false
  const orders = await probe(session, '/store/orders')
  return orders !== undefined && missingStatuses.includes(orders.status)
}

/** The version segment of {base_url} (spec, introduction). */
const version = '/v1'

/** Returns a clause that suggests another URL; empty if none is known. */
async function suggestBaseUrl(session: Session): Promise<string> {
  const url = session.options.urls.api
  if (new URL(url).pathname.endsWith(version)) return ''
  const { status = 0, headers } = (await probe(session, `${version}/inventory`)) ?? {}
  const isJson = /^application\/json\b/i.test(headers?.get('content-type') ?? '')
  // The documented statuses of the inventory in the specification.
  if (!isJson || ![200, 401, 429].includes(status)) return ''
  return `; try --url ${truncate(url, 300)}${version}, where GET /inventory responds with ${status}`
}

/** Sends a request. Returns undefined if it has no response. */
async function probe({ send }: Session, path: string): Promise<Exchange | undefined> {
  try {
    return await send({ path }, { mayExceed: true })
  } catch (error) {
    if (error instanceof RequestFailure) return undefined
    throw error
  }
}
