import type { World } from '../control/world.js'
import { reservedShare, smallShare } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import type { WorldRoom } from '../world/world.js'
import type { Client } from './client.js'

export interface RegistryLimits {
  /** Maximum number of worlds; undefined for none. */
  readonly maxWorlds: number | undefined
  /** Maximum size of all worlds, in bytes. */
  readonly maxMemory: number
  /** Maximum size of each world, in bytes. */
  readonly maxWorldMemory: number
  /** Time for which a world is retained for the clients that used it, in milliseconds. */
  readonly retainMs: number
  /**
   * Number of worlds from which the least recently used one is removed without being an eviction,
   * because a store has it. Default: no limit.
   */
  readonly maxLoaded?: number
}

/** An evicted world. */
export interface Eviction {
  readonly world: World
  /** Real time since its last use, in milliseconds. */
  readonly idleMs: number
}

/** What the registry knows of a world. */
interface Entry {
  readonly id: string
  /** The client that created the world; undefined in process. */
  readonly owner: Client | undefined
  /** The keys whose holders are cached. */
  readonly apiKeys: string[]
  /** The client of the latest use. */
  user: Client | undefined
  usedAtMs: number
  /** Time of the latest use by another client than `user`. */
  othersUsedAtMs: number
}

/** What a world counts towards the sizes of its owner and of all worlds. */
export class Footprint implements WorldRoom {
  readonly limit: number
  #bytes = 0
  #state: 'new' | 'open' | 'closed' = 'new'

  constructor(
    readonly registry: WorldRegistry,
    readonly owner: Client | undefined,
  ) {
    this.limit = registry.parts.limits.maxWorldMemory
  }

  findFull(size: number): string | undefined {
    const growth = this.#state === 'open' ? size - this.#bytes : size
    if (growth <= 0 || this.#state === 'closed') return undefined
    if (this.registry.findFull(this.owner, growth) === undefined) return undefined
    this.registry.makeRoom(this, growth)
    return this.registry.findFull(this.owner, growth)
  }

  resize(size: number): void {
    if (this.#state === 'open') this.registry.bytes += size - this.#bytes
    if (this.#state === 'open' && this.owner) this.owner.worldBytes += size - this.#bytes
    this.#bytes = size
  }

  /** Called when the world is used. Before, its size does not count. */
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

/** Parts of a sandbox that its registry uses. */
export interface RegistryParts {
  readonly limits: RegistryLimits
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Returns the number of worlds outside the registry that count towards `maxWorlds`. */
  readonly countOthers: () => number
  /** Whether a world must not be evicted. */
  readonly isPinned: (id: string) => boolean
  /** Called with each world that is removed, evicted or not, and with its keys that were added. */
  readonly onRemove: (world: World, apiKeys: readonly string[]) => void
  readonly onEvict: (eviction: Eviction) => void
}

/**
 * The worlds of a sandbox except the initial ones. A client that needs room evicts the least
 * recently used of its own worlds. A world of another client, or one that another client used
 * recently, is never evicted for it.
 */
export class WorldRegistry {
  /** Size of all worlds that are in use, including the initial ones. */
  bytes = 0
  readonly #byId = new Map<string, World>()
  /** In order of use, least recently used first. */
  readonly #entries = new Map<World, Entry>()

  constructor(readonly parts: RegistryParts) {}

  get size(): number {
    return this.#entries.size
  }

  /** Returns the worlds, least recently used first. */
  worlds(): World[] {
    return [...this.#entries.keys()]
  }

  get(id: string): World | undefined {
    return this.#byId.get(id)
  }

  /** Marks a world as used by a client. Does nothing for a world that is not in the registry. */
  use(world: World, client: Client | undefined): void {
    const entry = this.#entries.get(world)
    if (!entry) return
    if (entry.user !== client) {
      entry.othersUsedAtMs = entry.usedAtMs
      entry.user = client
    }
    entry.usedAtMs = this.parts.now()
    this.#entries.delete(world)
    this.#entries.set(world, entry)
  }

  /** Creates the room of a world that a client creates. */
  createRoom(owner: Client | undefined): Footprint {
    return new Footprint(this, owner)
  }

  /** Adds a world, and opens its room. */
  add(id: string, world: World, room: Footprint): void {
    room.open()
    const { owner } = room
    const usedAtMs = this.parts.now()
    const othersUsedAtMs = Number.NEGATIVE_INFINITY
    this.#byId.set(id, world)
    this.#entries.set(world, { id, owner, apiKeys: [], user: owner, usedAtMs, othersUsedAtMs })
    this.#unload()
  }

  /** Adds a key to a world, for `onRemove`. Returns false if the world is not in the registry. */
  addKey(world: World, apiKey: string): boolean {
    const entry = this.#entries.get(world)
    entry?.apiKeys.push(apiKey)
    return entry !== undefined
  }

  /** Removes worlds beyond `maxLoaded` that are not in use. */
  #unload(): void {
    const { maxLoaded = Number.POSITIVE_INFINITY } = this.parts.limits
    for (const [world, entry] of this.#entries) {
      if (this.#entries.size <= maxLoaded) return
      if (this.#isUnused(world, entry)) this.#remove(world, entry)
    }
  }

  /** Whether nothing prevents the removal of a world. */
  #isUnused(world: World, { id }: Entry): boolean {
    return world.pendingRequests === 0 && !this.parts.isPinned(id)
  }

  /**
   * Evicts a world if there are already `maxWorlds`.
   *
   * @param owner The client that creates a world.
   * @throws {Problem} sandbox_capacity, if no world may be evicted.
   */
  makeRoomForWorld(owner: Client | undefined): void {
    const { limits, countOthers } = this.parts
    const { maxWorlds = Number.POSITIVE_INFINITY } = limits
    const isFull = () => this.size + countOthers() >= maxWorlds
    this.#evict(owner, true, isFull)
    // One world always fits, so that a sandbox whose initial worlds reach the limit is usable.
    if (isFull() && this.size > 0) throw createFullProblem(maxWorlds)
  }

  /**
   * Returns the limit that more bytes in the worlds of a client would exceed, for messages; undefined
   * if there is room.
   */
  findFull(owner: Client | undefined, growth: number): string | undefined {
    const { maxMemory } = this.parts.limits
    const owned = owner ? owner.worldBytes + growth : 0
    if (owner && owned > owner.worldLimit) {
      return `${owner.worldLimit} bytes of the worlds of one client`
    }
    const isFull = this.bytes + growth > availableTo(maxMemory, owned)
    return isFull ? `${maxMemory} bytes of all worlds` : undefined
  }

  /** Evicts other worlds until one can grow. A client whose own share is full evicts its own only. */
  makeRoom(room: Footprint, growth: number): void {
    const { owner } = room
    const isOwnFull = () => owner !== undefined && owner.worldBytes + growth > owner.worldLimit
    this.#evict(owner, false, isOwnFull, room)
    if (isOwnFull()) return
    this.#evict(owner, true, () => this.findFull(owner, growth) !== undefined, room)
  }

  /**
   * Evicts worlds of an owner, and then worlds that nobody used recently, until there is room.
   *
   * @param includesOthers Whether to evict worlds of other owners.
   * @param requester The room of a world that is not evicted.
   */
  #evict(
    owner: Client | undefined,
    includesOthers: boolean,
    isFull: () => boolean,
    requester?: Footprint,
  ): void {
    if (!isFull()) return
    const retainedSince = this.parts.now() - this.parts.limits.retainMs
    const evict = (world: World, entry: Entry) => {
      if (!this.#isUnused(world, entry) || world.room === requester) return
      this.#remove(world, entry)
      this.parts.onEvict({ world, idleMs: this.parts.now() - entry.usedAtMs })
    }
    for (const [world, entry] of this.#entries) {
      if (!isFull()) return
      const isRetained = usedByOthersAt(entry, owner) >= retainedSince
      if (entry.owner === owner && !isRetained) evict(world, entry)
    }
    if (!includesOthers) return
    for (const [world, entry] of this.#entries) {
      // The worlds after this one were used later.
      if (!isFull() || entry.usedAtMs >= retainedSince) return
      evict(world, entry)
    }
  }

  #remove(world: World, { id, apiKeys }: Entry): void {
    this.#byId.delete(id)
    this.#entries.delete(world)
    world.close()
    this.parts.onRemove(world, apiKeys)
  }

  /** Removes all worlds. */
  clear(): void {
    for (const [world, entry] of this.#entries) this.#remove(world, entry)
  }
}

/** Returns how much of a total may be in use after a client has taken its part. */
export function availableTo(total: number, clientUse: number): number {
  return clientUse > total * smallShare ? total * (1 - reservedShare) : total
}

/** Returns the time of the latest use of a world by another client than its owner. */
function usedByOthersAt(entry: Entry, owner: Client | undefined): number {
  const isOwner = entry.user === undefined || entry.user === owner
  return isOwner ? entry.othersUsedAtMs : entry.usedAtMs
}

function createFullProblem(maxWorlds: number): Problem {
  const message = `the sandbox is at its limit of ${maxWorlds} worlds, and other clients use them; this is not a limit of the service`
  return new Problem('sandbox_capacity', message, 60)
}
