import type { World } from '../../control/world.js'
import { Problem } from '../../service/errors.js'
import { type Store, StoreError } from '../../store/store.js'
import type { WorldCopy } from './world-copy.js'

/** Seconds after which a client may repeat a request that could not be stored. */
const retryAfterSeconds = 2

/**
 * Executes the steps of a stored world one after the other: a step is run on the copy in memory,
 * stored, and only then visible. If another process has changed the world meanwhile, it runs again.
 */
export class Replica {
  readonly #world: World
  readonly #store: Store
  /** Resolves when the steps so far are executed. */
  #previous: Promise<unknown> = Promise.resolve()
  #unfollow: (() => void) | undefined
  /** Whether a refresh waits for the steps before it. */
  #isRefreshing = false

  constructor(readonly copy: WorldCopy) {
    this.#world = copy.world
    this.#store = copy.parts.store
    const { journal, clock } = this.#world
    const follow = () => this.#follow(journal.listeners.all.size + clock.waits > 0)
    journal.listeners.onCount = follow
    clock.onWaits = follow
  }

  /**
   * Executes a step, which reads or changes the world, and stores what it did.
   *
   * @param run Executed again if another process has changed the world in the meantime.
   * @param isService Whether the step is synchronous, and does not read the data that it changes.
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  execute<Result>(run: () => Result | Promise<Result>, isService = false): Promise<Result> {
    const { copy } = this
    const attempt = async () => run()
    return this.#enqueue(async () => {
      for (;;) {
        await copy.synchronize(!isService)
        copy.step.isDeferring = isService && !copy.needsBase
        const [outcome] = await Promise.allSettled([attempt()])
        // A step that fails may have changed the world, too.
        if (!(await copy.append())) continue
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      }
    })
  }

  /**
   * Loads the stored state, which another process may have changed.
   *
   * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
   */
  load(): Promise<void> {
    return this.#enqueue(() => this.copy.load())
  }

  /** Stops following the stored world. */
  close(): void {
    this.#world.journal.listeners.onCount = () => {}
    this.#world.clock.onWaits = () => {}
    this.#follow(false)
  }

  #enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const attempt = async () => {
      try {
        return await task()
      } catch (error) {
        if (error instanceof StoreError) this.copy.discard()
        throw error
      }
    }
    const result = this.#previous.then(() => accessStore(this.#store, attempt))
    this.#previous = result.catch(() => {})
    return result
  }

  /** Repeats what other processes store, for the listeners of the journal and delays of its clock. */
  #follow(isFollowed: boolean): void {
    if (this.#store.isExclusive || isFollowed === (this.#unfollow !== undefined)) return
    this.#unfollow?.()
    const refresh = () => this.#refresh()
    this.#unfollow = isFollowed ? this.#store.follow(this.copy.id, refresh) : undefined
  }

  #refresh(): void {
    // A refresh that has not begun reads this step, too.
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    const refresh = async () => {
      this.#isRefreshing = false
      await this.copy.synchronize(true)
    }
    // The next request reports an unreachable store.
    this.#enqueue(refresh).catch(() => {})
  }
}

/**
 * Calls the store.
 *
 * @throws {Problem} sandbox_unavailable, as a rejection, if the store cannot be reached.
 */
export async function accessStore<Result>(
  { kind }: Store,
  access: () => Promise<Result>,
): Promise<Result> {
  try {
    return await access()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const message = `the ${kind} store of this sandbox cannot be reached; retry after ${retryAfterSeconds} seconds`
    throw new Problem('sandbox_unavailable', message, retryAfterSeconds)
  }
}
