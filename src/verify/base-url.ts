import { truncate } from '../service/validation/message.js'
import type { CheckClient, Exchange } from './check.js'
import { RequestFailure } from './request.js'

/** What the option `--url` of the commands must be. */
export const wantedBaseUrl =
  '--url must be the base URL of the API, such as http://127.0.0.1:4010/v1'

/** The version segment of {base_url} (spec, introduction). */
const version = '/v1'

type Client = Pick<CheckClient, 'send' | 'urls'>

/**
 * Returns what the user can do if a service does not send the first response, the inventory;
 * undefined if it does. It may send further requests, to find out.
 */
export async function findNextStep(
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
export async function suggestBaseUrl(client: Client): Promise<string> {
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
