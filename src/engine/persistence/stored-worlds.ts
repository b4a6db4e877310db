import type { World } from '../../control/world.js'
import { Problem } from '../../service/errors.js'
import { type Store, StoreError } from '../../store/store.js'
import type { WorldSeed } from '../../world/seed.js'
import { StoredSeeds } from './stored-form.js'
import { type StoredWorldsSettings, WorldCopy } from './world-copy.js'

/** Seconds after which a client may repeat a request that could not be stored. */
const retryAfterSeconds = 2

/**
 * The worlds of a sandbox that a store keeps. Loaded only with a store. While the store cannot be
 * reached, every method rejects with the problem sandbox_unavailable.
 */
export class StoredWorlds {
  readonly #copies = new WeakMap<World, WorldCopy>()
  readonly #seeds: StoredSeeds
  /** Resolves when the worlds that were discarded are removed from the store. */
  #removal: Promise<void> = Promise.resolve()

  /** @param isShared Whether further worlds are likely to start from a seed. */
  constructor(
    readonly store: Store,
    readonly settings: StoredWorldsSettings,
    isShared: (seed: WorldSeed) => boolean,
  ) {
    this.#seeds = new StoredSeeds(store, settings.library, isShared)
  }

  /**
   * Connects a world with its stored form, and loads its state.
   *
   * @param findSeed Returns the seed from which the world starts if it is not stored.
   */
  async connect(world: World, findSeed: () => WorldSeed): Promise<void> {
    await this.#removal
    const copy = new WorldCopy(world, findSeed, this.store, this.#seeds, this.settings)
    await this.#access(() => copy.load())
    this.#copies.set(world, copy)
    this.#follow(world, copy)
  }

  /** Follows the stored world while the journal has listeners or the clock has waits. */
  #follow({ id, journal, clock }: World, copy: WorldCopy): void {
    let unfollow: (() => void) | undefined
    // The next request reports an unreachable store.
    const refresh = () => void copy.refresh().catch(() => {})
    const follow = () => {
      const isFollowed = journal.listeners.all.size + clock.waits > 0
      if (isFollowed === (unfollow !== undefined)) return
      unfollow?.()
      unfollow = isFollowed ? this.store.follow?.(id, refresh) : undefined
    }
    journal.listeners.onCount = follow
    clock.onWaits = follow
  }

  /** Executes a step on a world, and stores what it did. See `WorldCopy.execute`. */
  async execute<Result>(
    world: World,
    step: () => Result | Promise<Result>,
    isService = false,
  ): Promise<Result> {
    const copy = this.#copies.get(world)
    return copy ? this.#access(() => copy.execute(step, isService)) : step()
  }

  /** Stores changes of worlds outside of requests. */
  async save(worlds: readonly World[]): Promise<void> {
    await this.#removal
    await Promise.all(worlds.map((world) => this.execute(world, () => {})))
  }

  /** Loads worlds again, because another process may have changed them. */
  reload(worlds: readonly World[]): Promise<unknown> {
    return this.#access(() => Promise.all(worlds.map((world) => this.#copies.get(world)?.load())))
  }

  /** Removes all stored worlds except some. Worlds that are connected later wait until then. */
  removeOthers(ids: readonly string[]): void {
    const { platform } = this.settings
    this.#removal = this.store.removeOthers(ids).catch((error) => platform.reportError(error))
  }

  check(): Promise<void> {
    return this.#access(() => this.store.check())
  }

  /** Stores all changes of worlds, and closes the store. */
  async close(worlds: readonly World[]): Promise<void> {
    try {
      await this.save(worlds)
    } finally {
      await this.store.close()
    }
  }

  #access<Result>(run: () => Promise<Result>): Promise<Result> {
    return run().catch((error) => {
      if (!(error instanceof StoreError)) throw error
      const message = `the ${this.store.kind} store of this sandbox cannot be reached; retry after ${retryAfterSeconds} seconds`
      throw new Problem('sandbox_unavailable', message, retryAfterSeconds)
    })
  }
}
