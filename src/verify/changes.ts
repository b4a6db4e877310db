import type { CheckRequest, Exchange } from './check.js'
import { isSuccess } from './deviation.js'
import { type Entry, findEntry, update } from './inventory.js'
import { formatSeconds } from './limit-wait.js'
import { describeRejection, readRetryAfter } from './rate-limit.js'
import { RequestFailure } from './request.js'

/** A change that could not be undone: a field of an entry, now and before. */
export interface Unrestored {
  readonly petId: string
  /** `entry` if the inventory did not have the pet. */
  readonly field: 'quantity' | 'status' | 'entry'
  readonly now: string
  readonly before: string
}

/** What a check changed, or may have changed. */
interface Change {
  readonly before: Entry
  readonly hasStatus: boolean
  /** Whether the service has rejected all of the requests. */
  readonly isRejected: boolean
}

/** Attempts to undo a change. */
const maximumAttempts = 3

/** What undoing changes needs of a session, also after an interruption. */
export interface ChangesOptions {
  readonly send: (request: CheckRequest) => Promise<Exchange>
  /**
   * Returns a new response to listInventory; undefined if it has no list.
   *
   * @param mayWait Whether to wait for the limit of the key.
   */
  readonly readList: (mayWait: boolean) => Promise<Exchange | undefined>
  /** Prints a line and waits. */
  readonly pause: (seconds: number, line: string) => Promise<void>
  readonly maxWaitSeconds: number
}

/** Notes what the updates of a run change, and undoes it. */
export class Changes {
  readonly #options: ChangesOptions
  /** The pets that may have changed. */
  readonly #changed = new Map<string, Change>()
  /** The entries of the pets of all updates since the last {@link compare}, before them. */
  readonly #updated = new Map<string, Entry | undefined>()

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /**
   * Notes what to restore.
   *
   * @param status Undefined if the request had no response.
   * @param list The latest list before. The inventory did not have a pet that is not in it.
   */
  noteUpdate(request: CheckRequest, status: number | undefined, list: Exchange | undefined): void {
    const petId = findChangedPet(request)
    if (petId === undefined || list === undefined) return
    if (status !== undefined && unchangedStatuses.has(status)) return
    const known = this.#changed.get(petId)
    const before = known?.before ?? findEntry(list, petId)
    this.#updated.set(petId, before)
    if (before === undefined) return
    const hasStatus = known?.hasStatus || request.body?.includes('"status"') || false
    const isSet = request.body === update(petId, { quantity: before.quantity }).body
    if (status === 200 && isSet && !hasStatus) {
      this.#changed.delete(petId)
      return
    }
    const isRejected = status !== undefined && status >= 400 && status < 500
    const change = { before, hasStatus, isRejected: isRejected && known?.isRejected !== false }
    this.#changed.set(petId, change)
  }

  /** A list shows that rejected updates have changed nothing. */
  noteList(exchange: Exchange): void {
    for (const [petId, { before, isRejected }] of this.#changed) {
      if (isRejected && isSame(before, findEntry(exchange, petId))) this.#changed.delete(petId)
    }
  }

  /** Sets what was changed to what it was. Returns whether that succeeded. */
  async restore(): Promise<boolean> {
    for (const [petId, change] of this.#changed) {
      if (await this.#set(petId, change)) this.#changed.delete(petId)
    }
    return this.#changed.size === 0
  }

  /**
   * Compares the inventory with what it was before the updates, and restores what differs. Returns
   * what it could not restore.
   *
   * @param mayWait Whether to wait for the limit of the key, in place of trusting the responses.
   */
  async compare(mayWait: boolean): Promise<readonly Unrestored[]> {
    const found = await this.#findDiffering(mayWait)
    for (const { petId, before } of found) {
      const isSet =
        before && (await this.#set(petId, { before, hasStatus: true, isRejected: false }))
      if (isSet) this.#changed.delete(petId)
    }
    const left = found.length === 0 ? [] : await this.#findDiffering(mayWait)
    this.#changed.clear()
    this.#updated.clear()
    return left.flatMap(toUnrestored)
  }

  /** Returns the pets whose entries are not as before the updates. */
  async #findDiffering(mayWait: boolean): Promise<readonly Difference[]> {
    if (this.#updated.size === 0) return []
    const list = await this.#options.readList(mayWait)
    const all = [...this.#updated].map(([petId, before]) => {
      return { petId, before, now: list && findEntry(list, petId) }
    })
    // Without a list, only the responses tell what was restored.
    if (!list) return all.filter(({ petId }) => this.#changed.has(petId))
    return all.filter(({ before, now }) => !isSame(before, now))
  }

  /** Sets an entry to what it was, also after an interruption. Returns whether that succeeded. */
  async #set(petId: string, { before, hasStatus }: Change): Promise<boolean> {
    const { quantity, status } = before
    // A service that has accepted a status accepts the previous one too.
    for (let attempt = hasStatus ? 0 : 1; attempt <= maximumAttempts; attempt++) {
      const body = attempt === 0 ? { quantity, status } : { quantity }
      const failure = await this.#trySet(petId, body)
      if (failure === undefined) return true
      const { reason, seconds = attempt } = failure
      if (attempt === maximumAttempts || seconds > this.#options.maxWaitSeconds) return false
      const wait = `waits ${formatSeconds(seconds)}, then restores the quantity of pet ${petId}`
      if (seconds > 0) {
        await this.#options.pause(seconds, `PATCH /inventory/${petId} ${reason}; ${wait}`)
      }
    }
    return false
  }

  /** Updates a pet. Returns the reason if that fails, and how long to wait if that is known. */
  async #trySet(
    petId: string,
    body: object,
  ): Promise<{ readonly reason: string; readonly seconds?: number | undefined } | undefined> {
    try {
      const exchange = await this.#options.send(update(petId, body))
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

/** A pet whose entry is not as it was. */
interface Difference {
  readonly petId: string
  /** Undefined if the inventory did not have the pet. */
  readonly before: Entry | undefined
  /** Undefined if it is unknown, or if the inventory does not have the pet. */
  readonly now: Entry | undefined
}

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

/** Returns the id of the pet whose quantity a request may change. */
function findChangedPet({ method, path, address = 'api' }: CheckRequest): string | undefined {
  if (method !== 'PATCH' || address !== 'api') return undefined
  return /^\/inventory\/(-?\d+)$/.exec(path)?.[1]
}

/**
 * Statuses after which even a deviating service has changed nothing: it has not processed the
 * request. Others are not trusted.
 */
const unchangedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 429])
