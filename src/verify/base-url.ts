import { truncate } from '../service/validation/message.js'
import type { ReceivedResponse } from './request.js'

type Headed = Pick<ReceivedResponse, 'status' | 'headers'>

/** What the option `--url` of the commands must be. */
export const wantedBaseUrl =
  '--url must be the base URL of the API, such as http://127.0.0.1:4010/v1'

/** The version segment of {base_url} (spec, introduction). */
const version = '/v1'

/** The path below a URL without a version at which the inventory may be. */
export const versionedInventory = `${version}/inventory`

/** Whether a base URL may lack the version segment. */
export function mayLackVersion(url: string): boolean {
  return !new URL(url).pathname.endsWith(version)
}

/**
 * Returns a clause with the URL that may be the right one; empty if it is not known.
 *
 * @param response The response to {@link versionedInventory} below the URL, if there is one.
 */
export function suggestBaseUrl(url: string, response: Headed | undefined): string {
  if (!response || !isFromService(response)) return ''
  return `; try --url ${truncate(url, 300)}${version}, where GET /inventory responds with ${response.status}`
}

/** Whether a response is JSON with a status that the specification documents for the inventory. */
function isFromService({ status, headers }: Headed): boolean {
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '')
  return isJson && [200, 401, 429].includes(status)
}
