import type { World } from '../../control/world.js'
import type { Store } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { WorldSeed } from '../../world/seed.js'
import type { Platform } from '../platform.js'
import { accessStore, Replica } from './replica.js'
import { StoredSeeds } from './stored-seeds.js'
import { type CopyParts, WorldCopy } from './world-copy.js'

/** The settings of a sandbox that its stored worlds need. */
interface StoredWorldsSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  readonly journalCapacity: number
}

/** The worlds of a sandbox that a store keeps. Loaded only with a store. */
export class StoredWorlds {
  readonly #replicas = new WeakMap<World, Replica>()
  readonly #parts: CopyParts
  /** Resolves when the worlds that were discarded are removed from the store. */
  #removal: Promise<void> = Promise.resolve()

  /** @param isShared Whether further worlds are likely to start from a seed. */
  constructor(
    readonly store: Store,
    { library, platform, journalCapacity }: StoredWorldsSettings,
    isShared: (seed: WorldSeed) => boolean,
  ) {
    this.#parts = {
      store,
      seeds: new StoredSeeds(store, library, isShared),
      journalCapacity,
      createLineage: () => platform.randomLabel(),
      reportError: (error) => platform.reportError(error),
    }
  }

  /**
   * Connects a world with its stored form, and loads its state.
   *
   * @param prepare Returns the seed from which the world starts if it is not stored.
   * @throws {Problem} sandbox_unavailable, if the store cannot be reached.
   */
  async connect(
    id: string,
    world: World,
    prepare: () => WorldSeed | Promise<WorldSeed>,
  ): Promise<void> {
    await this.#removal
    const replica = new Replica(new WorldCopy(id, world, prepare, this.#parts))
    await replica.load()
    this.#replicas.set(world, replica)
  }

  /** Executes a step on a world, and stores what it did. See `Replica.execute`. */
  async execute<Result>(
    world: World,
    step: () => Result | Promise<Result>,
    isService = false,
  ): Promise<Result> {
    const replica = this.#replicas.get(world)
    return replica ? replica.execute(step, isService) : step()
  }

  /** Stores what was changed in worlds without a request. */
  async save(worlds: readonly World[]): Promise<void> {
    await this.#removal
    await Promise.all(worlds.map((world) => this.execute(world, () => {})))
  }

  /** Loads worlds again, which another process may have changed. */
  async reload(worlds: readonly World[]): Promise<void> {
    await Promise.all(worlds.map((world) => this.#replicas.get(world)?.load()))
  }

  /** Disconnects a world that the sandbox discards. */
  disconnect(world: World): void {
    this.#replicas.get(world)?.close()
  }

  /** Removes all stored worlds except some. Worlds that are connected later wait until then. */
  removeOthers(ids: readonly string[]): void {
    this.#removal = this.#remove(ids).catch((error) => this.#parts.reportError(error))
  }

  async #remove(kept: readonly string[]): Promise<void> {
    const ids = await this.store.list()
    const removed = ids.filter((id) => !kept.includes(id))
    await Promise.all(removed.map((id) => this.store.remove(id)))
  }

  /** @throws {Problem} sandbox_unavailable, if the store cannot be reached. */
  check(): Promise<void> {
    return accessStore(this.store, () => this.store.check())
  }

  /** Stores all changes of worlds, and closes the store. */
  async close(worlds: readonly World[]): Promise<void> {
    try {
      await this.save(worlds)
    } finally {
      for (const world of worlds) this.disconnect(world)
      await this.store.close()
    }
  }
}
