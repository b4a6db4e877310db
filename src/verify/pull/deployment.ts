import { listEntries } from '../../service/bounds.js'
import { toCount } from '../../service/validation/message.js'
import { greet } from '../base-url.js'
import { parseDate, readDate, readRateLimit } from '../headers.js'
import type { Exchange } from '../request.js'
import { Session, type SessionOptions } from '../session.js'
import { Incomplete } from '../usage-error.js'
import { toInt64 } from './records.js'

/** A response as it was received or recorded. */
export interface Received extends Pick<Exchange, 'status' | 'headers' | 'json' | 'isMasked'> {
  /** Time of the response in milliseconds since the epoch, by the clock of the server. */
  readonly atMs: number
}

/** The responses of a deployment from which a scenario is made. */
export interface Deployment {
  /** Base URL, which ends with the version. */
  readonly url: string
  /** The responses by path: `/inventory`, `/store/orders` and `/pets/{petId}`. */
  readonly responses: ReadonlyMap<string, Received>
  /** The paths of recorded responses whose body is missing or cannot be read. */
  readonly unreadable?: ReadonlySet<string>
}

/** Maximum size of all responses, and of a HAR file. */
export const maximumMebibytes = 64
/** Number of server errors in a row after which no further request is sent. */
const maximumServerErrors = 3

/**
 * Requests the inventory, the orders and each pet of a deployment, within the limit of the key.
 *
 * @throws {Incomplete} If a request fails, or the limit resets too late.
 */
export async function readDeployment(options: SessionOptions): Promise<Deployment> {
  const session = new Session(options)
  const { notify, now, urls } = options
  const responses = new Map<string, Received>()
  let serverErrors = 0
  let characters = 0
  const add = (exchange: Exchange): Received => {
    const { request, status, text, headers } = exchange
    const fail = (reason: string) => new Incomplete(`GET ${urls.api}${request.path}: ${reason}`)
    if (status === 401) throw fail('401, the service rejects the key')
    serverErrors = status >= 500 ? serverErrors + 1 : 0
    if (serverErrors >= maximumServerErrors) throw fail(`status ${status}; try again later`)
    characters += text.length + [...headers].join('').length
    const isTooLarge = characters > maximumMebibytes * 2 ** 20
    if (isTooLarge) throw fail(`more than ${maximumMebibytes} MiB in all`)
    const received = { ...exchange, atMs: (readDate(exchange) ?? now() / 1000) * 1000 }
    responses.set(request.path, received)
    return received
  }
  notify(`GET ${urls.api}/inventory: 1 request, to count the others`)
  const inventory = add(await greet(session, true))
  const entries = Array.isArray(inventory.json) ? inventory.json.slice(0, listEntries) : []
  const ids = new Set(entries.flatMap((item) => toInt64(Object(item).petId) ?? []))
  const { remaining = 'an unknown number' } = readRateLimit(inventory) ?? {}
  const kinds = `1 for the inventory, 1 for the orders, ${ids.size} for the pets`
  notify(`needs ${toCount(ids.size + 2, 'requests')} (${kinds}); the key has ${remaining} left`)
  add(await session.send({ path: '/store/orders' }))
  for (const id of ids) {
    const pet = add(await session.send({ path: `/pets/${id}` }))
    if (!isOperationMissing(pet)) continue
    notify(`GET /pets/{petId}: ${pet.status}, no further pets are requested`)
    break
  }
  return { url: urls.api, responses }
}

/** Whether a response means that the operation does not exist, for no pet. */
function isOperationMissing({ status, headers, atMs }: Received): boolean {
  const sunset = parseDate(headers.get('sunset')) ?? Infinity
  return (status === 410 && sunset * 1000 <= atMs) || [403, 405, 501].includes(status)
}
