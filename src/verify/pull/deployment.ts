import { listEntries } from '../../service/bounds.js'
import { createMask } from '../../service/mask.js'
import { toCount, toPlainLine } from '../../service/validation/message.js'
import { CannotVerify, greet } from '../base-url.js'
import { type Exchange, Skip } from '../check.js'
import { incompleteCode } from '../http-sender.js'
import { parseDate, readDate, readRateLimit } from '../rate-limit.js'
import { RequestFailure } from '../request.js'
import { Session, type SessionOptions, Stop } from '../session.js'
import { UsageError } from '../usage-error.js'
import { toInt64 } from './records.js'

/** A response as it was received or recorded. */
export interface Received {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The body; undefined if it is not JSON. Integers beyond ±(2^53−1) are bigints. */
  readonly json: unknown
  /** Time of the response in milliseconds since the epoch, by the clock of the server. */
  readonly atMs: number
  /** Whether the body contained the API key, which is masked. */
  readonly isMasked?: boolean
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
 * @throws {UsageError} If a request fails, or the limit resets too late.
 */
export async function readDeployment(options: SessionOptions): Promise<Deployment> {
  try {
    return await read(new Session(options), options)
  } catch (error) {
    if (options.signal?.aborted) throw new UsageError('interrupted', incompleteCode)
    const expected = [CannotVerify, RequestFailure, Skip, Stop]
    if (!(error instanceof Error) || !expected.some((type) => error instanceof type)) throw error
    throw new UsageError(toPlainLine(error.message), incompleteCode)
  }
}

async function read(session: Session, options: SessionOptions): Promise<Deployment> {
  const { notify, now, key, signal } = options
  const url = session.urls.api
  const responses = new Map<string, Received>()
  let serverErrors = 0
  let characters = 0
  const add = (exchange: Exchange): Received => {
    const { request, status, text, headers } = exchange
    const fail = (reason: string) => new CannotVerify(`GET ${url}${request.path}: ${reason}`)
    if (status === 401) throw fail('401, the service rejects the key')
    serverErrors = status >= 500 ? serverErrors + 1 : 0
    if (serverErrors >= maximumServerErrors) throw fail(`status ${status}; try again later`)
    characters += text.length + [...headers].join('').length
    if (characters > maximumMebibytes * 2 ** 20)
      throw fail(`more than ${maximumMebibytes} MiB in all`)
    const received = { ...exchange, atMs: (readDate(exchange) ?? now() / 1000) * 1000 }
    responses.set(request.path, received)
    return received
  }
  const get = async (path: string) => add(await session.send({ path }))
  notify(`GET ${url}/inventory: 1 request, to count the others`)
  const inventory = add(await greet(session, createMask([key]), signal, true))
  const entries = Array.isArray(inventory.json) ? inventory.json.slice(0, listEntries) : []
  const ids = new Set(entries.map((item) => toInt64(Object(item).petId)))
  ids.delete(undefined)
  const { remaining = 'an unknown number' } = readRateLimit(inventory) ?? {}
  const kinds = `1 for the inventory, 1 for the orders, ${ids.size} for the pets`
  notify(`needs ${toCount(ids.size + 2, 'requests')} (${kinds}); the key has ${remaining} left`)
  await get('/store/orders')
  for (const id of ids) {
    const pet = await get(`/pets/${id}`)
    if (!isOperationMissing(pet)) continue
    notify(`GET /pets/{petId}: ${pet.status}, no further pets are requested`)
    break
  }
  return { url, responses }
}

/** Whether a response means that the operation does not exist, for no pet. */
function isOperationMissing(pet: Received): boolean {
  const sunsetMs = parseDate(pet.headers.get('sunset') ?? '')
  return (pet.status === 410 && sunsetMs <= pet.atMs) || [403, 405, 501].includes(pet.status)
}
