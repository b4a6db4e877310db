import { describeRejection, formatSeconds, readRetryAfter } from './headers.js'
import { type Entry, findEntry, listInventory, update } from './inventory.js'
import { type CheckRequest, type Exchange, RequestFailure } from './request.js'
import { isSuccess } from './response.js'
import type { Session } from './session.js'
import { Incomplete } from './usage-error.js'

/** A change that could not be undone: a field of an entry, with its current and its previous value. */
export interface Unrestored {
  readonly petId: string
  /** `entry` if the inventory did not have the pet. */
  readonly field: 'quantity' | 'status' | 'entry'
  readonly now: string
  readonly before: string
  /** The command that may undo it. */
  readonly curl?: string
}

/** Attempts to undo a change. */
const maximumAttempts = 3

/**
 * Statuses that mean that the service has not processed the request. After other statuses, a deviating
 * service may have changed something.
 */
const unchangedStatuses: readonly (number | undefined)[] = [401, 403, 404, 405, 429]

/** Records the changes of a run, and undoes them, also after an interruption. */
export class Changes {
  readonly #session: Session
  /** The latest list in which all changes are undone. */
  #list: Exchange | undefined
  /** The entries of all updated pets before the updates; undefined if the list has none. */
  readonly #before = new Map<string, Entry | undefined>()
  /** The pets that may have changed, and whether the service may have changed their status. */
  readonly #changed = new Map<string, boolean>()
  /** The pets and quantities of all updates. */
  readonly #sent = new Set<string>()

  constructor(session: Session) {
    this.#session = session
    session.onExchange = (request, exchange) => this.#note(request, exchange)
  }

  /**
   * Records the changes of a request, or the list in its response.
   *
   * @param exchange Undefined if it had no response. The request may still have changed something.
   */
  #note(request: CheckRequest, exchange: Exchange | undefined): void {
    const { address = 'api', method = 'GET', path, body } = request
    if (address !== 'api') return
    if (method === 'GET' && path === listInventory.path && Array.isArray(exchange?.json)) {
      const isRestored = (id: string) => isSame(this.#before.get(id), findEntry(exchange, id))
      for (const id of this.#changed.keys()) if (isRestored(id)) this.#changed.delete(id)
      if (this.#changed.size === 0) this.#list = exchange
    }
    const [, petId] = (method === 'PATCH' && /^\/inventory\/(-?\d+)$/.exec(path)) || []
    if (petId === undefined || !this.#list || unchangedStatuses.includes(exchange?.status)) return
    const entry = findEntry(this.#list, petId)
    // Another client may have changed the pet since an update was undone.
    const isOther = !this.#changed.has(petId) && !this.#sent.has(`${petId}: ${entry?.quantity}`)
    if (isOther || !this.#before.has(petId)) this.#before.set(petId, entry)
    this.#sent.add(`${petId}: ${/"quantity":(-?\d+)/.exec(body ?? '')?.[1]}`)
    const before = this.#before.get(petId)
    if (before === undefined) return
    const hasStatus = this.#changed.get(petId) || body?.includes('"status"') || false
    const isRestored = !hasStatus && body === update(petId, { quantity: before.quantity }).body
    if (isRestored && exchange && isSuccess(exchange)) this.#changed.delete(petId)
    else this.#changed.set(petId, hasStatus)
  }

  /** Restores the previous values. Returns whether this succeeded. */
  async restore(): Promise<boolean> {
    for (const [petId, hasStatus] of this.#changed) {
      const before = this.#before.get(petId)
      if (before && (await this.#set(before, hasStatus))) this.#changed.delete(petId)
    }
    return this.#changed.size === 0
  }

  /**
   * Compares the inventory with its state before the updates, and restores differences. Returns the
   * differences that remain.
   */
  async compare(): Promise<readonly Unrestored[]> {
    const found = await this.#findDiffering()
    for (const { petId, before } of found) {
      if (!before) continue
      this.#changed.set(petId, true)
      if (await this.#set(before, true)) this.#changed.delete(petId)
    }
    const left = found.length === 0 ? [] : await this.#findDiffering()
    this.#changed.clear()
    this.#before.clear()
    return left.flatMap(toUnrestored)
  }

  /** Returns the pets whose entries differ from their state before the updates. */
  async #findDiffering(): Promise<readonly Difference[]> {
    if (this.#before.size === 0) return []
    const list = await this.#readList()
    const all = [...this.#before].map(([petId, before]) => {
      return { petId, before, now: list && findEntry(list, petId) }
    })
    // Without a list, only the responses show which values were restored.
    if (!list) return all.filter(({ petId }) => this.#changed.has(petId))
    return all.filter(({ before, now }) => !isSame(before, now))
  }

  /** Returns a new response to listInventory; undefined if it has no list. */
  async #readList(): Promise<Exchange | undefined> {
    try {
      await this.#session.makeRoom(1)
      const list = await this.#session.sendAlways(listInventory)
      return Array.isArray(list.json) ? list : undefined
    } catch (error) {
      if (error instanceof Incomplete || this.#session.options.signal?.aborted) return undefined
      throw error
    }
  }

  /** Restores an entry, if necessary in several attempts. Returns whether this succeeded. */
  async #set({ petId, quantity, status }: Entry, hasStatus: boolean): Promise<boolean> {
    const { options } = this.#session
    // A service that has accepted a status also accepts the previous status.
    if (hasStatus && !(await this.#trySet(petId, { quantity, status }))) return true
    for (let attempt = 1; ; attempt++) {
      const failure = await this.#trySet(petId, { quantity })
      if (failure === undefined) return true
      const { reason, seconds = attempt } = failure
      if (attempt === maximumAttempts || seconds > options.maxWaitSeconds) return false
      const next = `waits ${formatSeconds(seconds)}, then restores the quantity of pet ${petId}`
      await this.#session.pause(seconds, `PATCH /inventory/${petId} ${reason}; ${next}`)
    }
  }

  /** Updates a pet. Returns the reason of a failure, and the time to wait if it is known. */
  async #trySet(
    petId: string,
    body: object,
  ): Promise<{ readonly reason: string; readonly seconds?: number | undefined } | undefined> {
    try {
      const exchange = await this.#session.sendAlways(update(petId, body))
      if (isSuccess(exchange)) return undefined
      if (exchange.status !== 429) return { reason: `responded with ${exchange.status}` }
      const reason = `received ${describeRejection(exchange)}`
      return { reason, seconds: readRetryAfter(exchange) }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      return { reason: `had no response (${error.message})` }
    }
  }
}

/** A pet with its previous and its current entry; undefined without an entry or a list. */
type Difference = Readonly<Record<'before' | 'now', Entry | undefined>> & { readonly petId: string }

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.quantity === other?.quantity && one?.status === other?.status
}

/** Returns the fields that differ. */
function toUnrestored({ petId, before, now }: Difference): readonly Unrestored[] {
  if (!before) return [{ petId, field: 'entry', now: 'present', before: 'none' }]
  return (['quantity', 'status'] as const)
    .filter((field) => now?.[field] !== before[field])
    .map((field) => {
      return { petId, field, now: String(now?.[field] ?? 'unknown'), before: String(before[field]) }
    })
}
