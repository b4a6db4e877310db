import type { World } from '../control/world.js'
import { reservedShare, smallShare } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import type { Listeners } from '../world/listeners.js'
import type { WorldRoom } from '../world/world.js'
import type { Client } from './client.js'
import type { SandboxSettings } from './settings.js'

/** Number of stored worlds that remain in memory. Reading a world takes some milliseconds. */
const maximumLoaded = 1_000

/** An evicted world. */
export interface Eviction {
  readonly world: World
  /** Real time since its last use, in milliseconds. */
  readonly idleMs: number
}

/** The data of a world in the registry: its size towards the limits, and the clients that use it. */
export class Place implements WorldRoom {
  readonly limit: number
  /** Set when the world is created. */
  world!: World
  /** The client of the latest use; undefined in process. */
  user: Client | undefined
  usedAtMs = Number.NEGATIVE_INFINITY
  /** Time of the latest use by another client than `user`. */
  othersUsedAtMs = Number.NEGATIVE_INFINITY
  /** The size of a new world does not count yet, and the size of a closed world is not limited. */
  #state: 'new' | 'open' | 'closed' = 'new'
  #bytes = 0

  /** @param owner The client that created the world; undefined in process. */
  constructor(
    readonly registry: WorldRegistry,
    readonly owner: Client | undefined,
  ) {
    this.limit = registry.settings.maxWorldMemory
    this.user = owner
  }

  makeRoom(size: number): string | undefined {
    const growth = this.#state === 'open' ? size - this.#bytes : size
    if (growth <= 0 || this.#state === 'closed') return undefined
    return this.registry.findExceeded(this.owner, growth) && this.registry.makeRoomFor(this, growth)
  }

  resize(size: number): void {
    if (this.#state === 'open') {
      this.registry.bytes += size - this.#bytes
      if (this.owner) this.owner.worldBytes += size - this.#bytes
    }
    this.#bytes = size
  }

  open(): void {
    const size = this.#bytes
    this.#bytes = 0
    this.#state = 'open'
    this.resize(size)
  }

  close(): void {
    this.resize(0)
    this.#state = 'closed'
  }
}

/**
 * The worlds of a sandbox, within its limits. A client that needs room evicts the least recently used
 * of its own worlds, but never a world that another client owns or has used recently.
 */
export abstract class WorldRegistry {
  /** Estimated size of all worlds, in bytes. */
  bytes = 0
  /** The worlds of keys that name no scenario, which are never evicted. */
  protected readonly initialWorlds = new Map<string, World>()
  /** The worlds that must not be evicted, by id. Not all of them exist. */
  abstract readonly reserved: ReadonlyMap<string, unknown>
  /** The other worlds by id, least recently used first. */
  readonly #places = new Map<string, Place>()

  constructor(
    readonly settings: SandboxSettings,
    readonly evictions: Listeners<[eviction: Eviction]>,
  ) {}

  get count(): number {
    return this.#places.size + this.initialWorlds.size
  }

  /** Returns all existing worlds, the initial ones first. */
  all(): World[] {
    return [...this.allInitial(), ...[...this.#places.values()].map(({ world }) => world)]
  }

  /** Returns the existing worlds of the initial scenario. */
  allInitial(): World[] {
    return [...this.initialWorlds.values()]
  }

  /** Returns a world that is not an initial one. */
  get(id: string): World | undefined {
    return this.#places.get(id)?.world
  }

  /** Whether the sandbox has not discarded a world. */
  has(world: World): boolean {
    return this.initialWorlds.get(world.name.environment) === world || this.get(world.id) === world
  }

  /** Marks a world as used by a client. */
  markUsed(world: World, client: Client | undefined): void {
    const place = this.#places.get(world.id)
    if (place?.world !== world) return
    if (place.user !== client) place.othersUsedAtMs = place.usedAtMs
    place.user = client
    place.usedAtMs = this.settings.platform.monotonic()
    this.#places.delete(world.id)
    this.#places.set(world.id, place)
  }

  /** Adds a world. If a store has them, removes unused worlds beyond a number. */
  protected add(place: Place): void {
    place.open()
    place.usedAtMs = this.settings.platform.monotonic()
    this.#places.set(place.world.id, place)
    if (!this.settings.store) return
    for (const other of this.#places.values()) {
      if (this.#places.size <= maximumLoaded) return
      if (this.#isUnused(other)) this.remove(other)
    }
  }

  /** Whether nothing prevents the removal of a world. */
  #isUnused({ world }: Place): boolean {
    return world.requestsInProgress === 0 && !this.reserved.has(world.id)
  }

  /** Removes a world, evicted or not. */
  protected remove({ world }: Place): void {
    this.#places.delete(world.id)
    world.close()
  }

  /** Removes all worlds except the initial ones. */
  protected clear(): void {
    for (const place of this.#places.values()) this.remove(place)
  }

  /**
   * Evicts a world if there are already `maxWorlds`.
   *
   * @param owner The client that creates a world.
   * @throws {Problem} sandbox_capacity, if no world may be evicted.
   */
  protected makeRoomForWorld(owner: Client | undefined): void {
    const { maxWorlds = Number.POSITIVE_INFINITY } = this.settings
    const isFull = () => this.count >= maxWorlds
    this.#evict(owner, true, isFull)
    // One world always fits, so that a sandbox whose initial worlds reach the limit is usable.
    if (!isFull() || this.#places.size === 0) return
    const message = `the sandbox is at its limit of ${maxWorlds} worlds, and other clients use them; this is not a limit of the service`
    throw new Problem('sandbox_capacity', message, 60)
  }

  /**
   * Returns the limit that more bytes in the worlds of a client would exceed, for messages; undefined
   * if there is room.
   */
  findExceeded(owner: Client | undefined, growth: number): string | undefined {
    const { maxMemory } = this.settings
    const owned = owner ? owner.worldBytes + growth : 0
    if (owner && owned > owner.worldLimit) {
      return `${owner.worldLimit} bytes of the worlds of one client`
    }
    const isFull = this.bytes + growth > availableTo(maxMemory, owned)
    return isFull ? `${maxMemory} bytes of all worlds` : undefined
  }

  /**
   * Evicts other worlds until a world can grow. If the share of its client is full, evicts only worlds
   * of this client. Returns the limit that is still exceeded.
   */
  makeRoomFor(place: Place, growth: number): string | undefined {
    const { owner } = place
    const isOwnFull = () => owner !== undefined && owner.worldBytes + growth > owner.worldLimit
    this.#evict(owner, false, isOwnFull, place)
    const isFull = () => this.findExceeded(owner, growth) !== undefined
    if (!isOwnFull()) this.#evict(owner, true, isFull, place)
    return this.findExceeded(owner, growth)
  }

  /**
   * Evicts worlds of an owner, and then worlds that nobody used recently, until there is room.
   *
   * @param includesOthers Whether to evict worlds of other owners.
   * @param requester The registry data of the world that must not be evicted.
   */
  #evict(
    owner: Client | undefined,
    includesOthers: boolean,
    isFull: () => boolean,
    requester?: Place,
  ): void {
    const { platform, store, retainMs } = this.settings
    // A store keeps evicted worlds, so that no world must be retained.
    const retainedSince = platform.monotonic() - (store ? 0 : retainMs)
    const evict = (place: Place) => {
      if (place === requester || !this.#isUnused(place)) return
      this.remove(place)
      this.evictions.notify({ world: place.world, idleMs: platform.monotonic() - place.usedAtMs })
    }
    for (const place of this.#places.values()) {
      if (!isFull()) return
      if (place.owner === owner && usedByOthersAt(place) < retainedSince) evict(place)
    }
    if (!includesOthers) return
    for (const place of this.#places.values()) {
      // The worlds after this one were used later.
      if (!isFull() || place.usedAtMs >= retainedSince) return
      evict(place)
    }
  }
}

/** Returns how much of a total may be in use after a client has taken its part. */
export function availableTo(total: number, clientUse: number): number {
  return clientUse > total * smallShare ? total * (1 - reservedShare) : total
}

/** Returns the time of the latest use of a world by another client than its owner. */
function usedByOthersAt({ user, owner, usedAtMs, othersUsedAtMs }: Place): number {
  return user === undefined || user === owner ? othersUsedAtMs : usedAtMs
}
