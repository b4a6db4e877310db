import { toCount } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { mayLackVersion, suggestBaseUrl, versionedInventory } from '../base-url.js'
import { incompleteCode } from '../http-sender.js'
import { formatSeconds, LimitWait, type LimitWaitOptions } from '../limit-wait.js'
import { describeRejection, parseDate, readRateLimit } from '../rate-limit.js'
import { type DeploymentAccess, readResource } from './client.js'
import { listPetIds, toUnexpected } from './inventory.js'
import type { Progress } from './progress.js'
import { toResetMs, toWaitMs } from './rate-limit.js'
import type { Deployment, Received } from './received.js'

/** Why a pull waits before it has received a 429. */
const usedUp = 'the key has no requests left'

const listBytes = 16 * 1_048_576
const recordBytes = 2 * 1_048_576

/** Minimum number of responses after which the progress is saved. */
const saveInterval = 50

/** Number of server errors in a row after which no further request is sent. */
const maximumServerErrors = 3

export interface GatherOptions extends DeploymentAccess, LimitWaitOptions {
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Prints a line. */
  readonly notify: (line: string) => void
}

/**
 * Requests the inventory, the orders and each pet of a deployment, within its limit. Continues from
 * the saved progress, and saves it before each failure.
 *
 * @throws {UsageError} If a request fails, or the limit resets too late.
 */
export async function gather(options: GatherOptions): Promise<Deployment> {
  const gathering = new Gathering(options)
  try {
    return await gathering.run()
  } catch (error) {
    await gathering.save()
    throw toResumable(error, options)
  }
}

/** Adds to a failure how many responses are saved, and when the command can continue. */
function toResumable(error: unknown, { progress, now }: GatherOptions): unknown {
  const { responses, notBeforeMs, path } = progress
  if (!(error instanceof UsageError) || (responses.size === 0 && notBeforeMs === 0)) return error
  const saved = `${toCount(responses.size, 'responses')} saved in ${path}`
  const seconds = (notBeforeMs - now()) / 1000
  const when = seconds > 0 ? ` in ${formatSeconds(seconds)} or later` : ''
  return new UsageError(
    `${error.message}; ${saved}, the same command continues${when}`,
    incompleteCode,
  )
}

class Gathering {
  readonly #options: GatherOptions
  readonly #limitWait: LimitWait
  #unsaved = 0
  #serverErrors = 0
  /** Why no request is sent before the time of the progress. */
  #waitCause = usedUp

  constructor(options: GatherOptions) {
    this.#options = options
    this.#limitWait = new LimitWait(options)
  }

  async save(): Promise<void> {
    const { progress } = this.#options
    if (progress.responses.size > 0 || progress.notBeforeMs > 0) await progress.save()
    this.#unsaved = 0
  }

  async run(): Promise<Deployment> {
    const { url, progress, notify } = this.#options
    const saved = progress.responses.size
    if (saved > 0) notify(`continues with ${toCount(saved, 'responses')} of ${progress.path}`)
    else notify(`GET ${url}/inventory: 1 request, to count the others`)
    let ids: readonly string[] = []
    const inventory = await this.#get('/inventory', listBytes, async (received) => {
      ids = await this.#readIds(received)
    })
    // Written before further requests, so that a directory without access costs none.
    await this.save()
    this.#announceRequests(ids)
    // The saved headers are out of date.
    if (saved === 0) this.#announceLimit(inventory, 1 + ids.length)
    const orders = await this.#get('/store/orders', listBytes)
    const pets = await this.#getPets(ids)
    return { url, inventory, orders, pets }
  }

  /** @throws {UsageError} If the response is not an inventory. May suggest another URL. */
  async #readIds(inventory: Received): Promise<readonly string[]> {
    const { url } = this.#options
    try {
      return listPetIds(inventory, url)
    } catch (error) {
      if (!(error instanceof UsageError) || !mayLackVersion(url)) throw error
      const versioned = await readResource(this.#options, versionedInventory, listBytes).catch(
        () => undefined,
      )
      throw new UsageError(error.message + suggestBaseUrl(url, versioned), incompleteCode)
    }
  }

  #announceRequests(ids: readonly string[]): void {
    const { progress, notify } = this.#options
    const paths = ['/store/orders', ...ids.map(toPetPath)]
    const missing = paths.filter((path) => !progress.responses.has(path)).length
    const kinds = `1 for the inventory, 1 for the orders, ${ids.length} for the pets`
    notify(
      `needs ${toCount(paths.length + 1, 'requests')} in all (${kinds}), ${missing} of them now`,
    )
  }

  /** @param missing Number of requests that are not sent yet. */
  #announceLimit(inventory: Received, missing: number): void {
    const { notify } = this.#options
    const rateLimit = readRateLimit(inventory)
    if (!rateLimit) {
      notify('the headers do not say how many requests are left')
      return
    }
    const { limit, remaining } = rateLimit
    const resets = limit > 0 ? Math.ceil(Math.max(0, missing - remaining) / limit) : 0
    const waits = resets === 0 ? 'no wait' : `${toCount(resets, 'waits')} for the reset`
    const seconds = formatSeconds(toResetMs(rateLimit, inventory) / 1000)
    notify(`${remaining} of ${limit} are left, the limit resets in ${seconds}: ${waits}`)
  }

  async #getPets(ids: readonly string[]): Promise<Map<string, Received>> {
    const pets = new Map<string, Received>()
    for (const id of ids) {
      const received = await this.#get(toPetPath(id), recordBytes)
      pets.set(id, received)
      if (!isOperationMissing(received)) continue
      const { status } = received
      this.#options.notify(`GET /pets/{petId}: ${status}, no further pets are requested`)
      break
    }
    return pets
  }

  /**
   * Returns the saved response, or sends the request.
   *
   * @param accept Rejects if the response cannot be used. It is then not saved.
   */
  async #get(
    path: string,
    maximumBytes: number,
    accept: (received: Received) => Promise<void> = async () => {},
  ): Promise<Received> {
    const { progress } = this.#options
    const received = progress.responses.get(path) ?? (await this.#request(path, maximumBytes))
    await accept(received)
    if (received.status >= 500 || progress.responses.has(path)) return received
    progress.responses.set(path, received)
    this.#unsaved += 1
    // The file has all responses, so the interval grows with their number.
    if (this.#unsaved >= Math.max(saveInterval, progress.responses.size / 10)) await this.save()
    return received
  }

  /** Sends a request. Counts server errors, which are not saved, so that they are requested again. */
  async #request(path: string, maximumBytes: number): Promise<Received> {
    const { url } = this.#options
    let received = await this.#send(path, maximumBytes)
    // One retry after the wait. A second rejection means that others use the key as well.
    if (received.status === 429) received = await this.#send(path, maximumBytes)
    if (received.status === 429 || received.status === 401) throw toUnexpected(path, received, url)
    this.#serverErrors = received.status >= 500 ? this.#serverErrors + 1 : 0
    if (this.#serverErrors >= maximumServerErrors) throw toUnexpected(path, received, url)
    return received
  }

  async #send(path: string, maximumBytes: number): Promise<Received> {
    const { progress, now } = this.#options
    await this.#wait()
    const received = await readResource(this.#options, path, maximumBytes)
    const waitMs = toWaitMs(received)
    progress.notBeforeMs = waitMs > 0 ? now() + waitMs : 0
    if (received.status === 429) this.#waitCause = `GET ${path}: ${describeRejection(received)}`
    return received
  }

  /** Waits until the limit resets. */
  async #wait(): Promise<void> {
    const { progress, now, signal } = this.#options
    const seconds = Math.ceil((progress.notBeforeMs - now()) / 1000)
    const cause = this.#waitCause
    this.#waitCause = usedUp
    if (seconds <= 0) return
    if (!this.#limitWait.allows(seconds)) {
      throw new UsageError(
        `${cause}, and a wait of ${formatSeconds(seconds)} would exceed --max-wait`,
        incompleteCode,
      )
    }
    await this.save()
    await this.#limitWait.untilReset(seconds, cause).catch((error: unknown) => {
      throw signal.aborted ? new UsageError('interrupted', incompleteCode) : error
    })
    progress.notBeforeMs = 0
  }
}

/** Whether a response means that the operation does not exist, for no pet. */
function isOperationMissing({ status, headers, atMs }: Received): boolean {
  const isGone = status === 410 && parseDate(headers.get('sunset') ?? '') <= atMs
  return isGone || [403, 405, 501].includes(status)
}

function toPetPath(id: string): string {
  return `/pets/${id}`
}
