import type { World } from '../control/world.js'
import { availableTo } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import type { WorldRoom } from '../world/room.js'
import type { Client } from './client.js'
import { type Position, UsageList } from './usage-list.js'

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

type WorldList = UsageList<RegisteredWorld>

class RegisteredWorld {
  /** Time of the latest use by another client than `user`. */
  othersUsedAtMs = Number.NEGATIVE_INFINITY
  readonly #all: Position<RegisteredWorld>
  readonly #owned: Position<RegisteredWorld>

  /**
   * @param owner The client that created the world; undefined in process.
   * @param user The client of the latest use.
   * @param lists All worlds, and those of the owner. The world is added to both.
   */
  constructor(
    readonly id: string,
    readonly world: World,
    readonly owner: Client | undefined,
    public user: Client | undefined,
    public usedAtMs: number,
    readonly lists: readonly [all: WorldList, owned: WorldList],
  ) {
    this.#all = lists[0].add(this)
    this.#owned = lists[1].add(this)
  }

  moveToEnd(): void {
    this.lists[0].moveToEnd(this.#all)
    this.lists[1].moveToEnd(this.#owned)
  }

  remove(): void {
    this.lists[0].remove(this.#all)
    this.lists[1].remove(this.#owned)
  }
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
    const full = this.registry.findFull(this.owner, growth)
    return full === undefined ? undefined : this.registry.makeRoom(this, growth, full)
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
  /** Called with each world that is removed, evicted or not. */
  readonly onRemove: (world: World) => void
  readonly onEvict: (eviction: Eviction) => void
}

/**
 * The worlds of a sandbox except the initial ones. A client that needs room evicts the least
 * recently used of its own worlds. A world of another client, or one that another client used
 * recently, is never evicted for it. Adding a world takes constant time, also if others are evicted
 * for it.
 */
export class WorldRegistry {
  /** Size of all worlds that are in use, including the initial ones. */
  bytes = 0
  readonly #worlds = new Map<string, RegisteredWorld>()
  #all: WorldList = new UsageList()
  readonly #byOwner = new Map<Client | undefined, WorldList>()
  /** Number of reasons not to evict a world, by its id. The world need not exist yet. */
  readonly #pins = new Map<string, number>()

  /** The limit of all worlds, for messages. */
  readonly #allFull: string

  constructor(readonly parts: RegistryParts) {
    this.#allFull = `${parts.limits.maxMemory} bytes of all worlds`
  }

  get size(): number {
    return this.#worlds.size
  }

  /** Returns the worlds, least recently used first. */
  worlds(): World[] {
    const worlds: World[] = []
    for (let at = this.#all.first; at; at = at.next) worlds.push(at.value.world)
    return worlds
  }

  /** Returns a world. */
  get(id: string): World | undefined {
    return this.#worlds.get(id)?.world
  }

  /** Returns a world and marks it as used by a client. */
  find(id: string, client: Client | undefined): World | undefined {
    const entry = this.#worlds.get(id)
    if (entry) this.#use(entry, client)
    return entry?.world
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
    const isFull = () => this.#worlds.size + countOthers() >= maxWorlds
    if (isFull()) this.#evict(owner, true, () => !isFull())
    // One world always fits, so that a sandbox whose initial worlds reach the limit is usable.
    if (isFull() && this.#worlds.size > 0) throw createFullProblem(maxWorlds)
  }

  /** Creates the room of a world that a client creates. */
  createRoom(owner: Client | undefined): Footprint {
    return new Footprint(this, owner)
  }

  /** Adds a world that a client created, and whose room is open. */
  add(id: string, world: World, owner: Client | undefined): void {
    const owned: WorldList = this.#byOwner.get(owner) ?? new UsageList()
    this.#byOwner.set(owner, owned)
    const lists = [this.#all, owned] as const
    this.#worlds.set(id, new RegisteredWorld(id, world, owner, owner, this.parts.now(), lists))
    this.#unload()
  }

  /** Removes worlds beyond `maxLoaded` that are not in use. */
  #unload(): void {
    const { maxLoaded = Number.POSITIVE_INFINITY } = this.parts.limits
    for (let visits = this.#worlds.size - maxLoaded; visits > 0 && this.#all.first; visits--) {
      const { value } = this.#all.first
      if (this.#isUnused(value)) this.#discard(value)
      // The next search does not visit this world again before the others.
      else value.moveToEnd()
    }
  }

  /** Whether nothing prevents the removal of a world. */
  #isUnused({ id, world }: RegisteredWorld): boolean {
    return !this.#pins.has(id) && world.pendingRequests === 0
  }

  /**
   * Evicts worlds until another one can grow.
   *
   * @param full The limit that it would exceed.
   * @returns The limit that it would still exceed; undefined if there is room.
   */
  makeRoom(room: Footprint, growth: number, full: string): string | undefined {
    const { owner } = room
    // A client whose own share is full evicts its own worlds only.
    const isShared = full === this.#allFull
    this.#evict(owner, isShared, () => this.findFull(owner, growth) !== full, room)
    const next = this.findFull(owner, growth)
    return next === undefined || next === full ? next : this.makeRoom(room, growth, next)
  }

  /** Returns the limit that more bytes in the worlds of a client would exceed, for messages. */
  findFull(owner: Client | undefined, growth: number): string | undefined {
    const { maxMemory } = this.parts.limits
    const owned = owner ? owner.worldBytes + growth : 0
    if (owner && owned > owner.worldLimit) {
      return `${owner.worldLimit} bytes of the worlds of one client`
    }
    return this.bytes + growth > availableTo(maxMemory, owned) ? this.#allFull : undefined
  }

  /**
   * Prevents the eviction of a world, which need not exist yet. Returns a function that allows it
   * again.
   */
  pin(id: string): () => void {
    this.#pins.set(id, (this.#pins.get(id) ?? 0) + 1)
    let isPinned = true
    return () => {
      if (isPinned) this.#unpin(id)
      isPinned = false
    }
  }

  #unpin(id: string): void {
    const pins = (this.#pins.get(id) ?? 0) - 1
    if (pins > 0) this.#pins.set(id, pins)
    else this.#pins.delete(id)
  }

  /** Removes all worlds. */
  clear(): void {
    for (const { world } of this.#worlds.values()) this.#close(world)
    this.#worlds.clear()
    this.#all = new UsageList()
    this.#byOwner.clear()
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
    hasRoom: () => boolean,
    requester?: Footprint,
  ): void {
    const retainedSince = this.parts.now() - this.parts.limits.retainMs
    const mayEvict = (entry: RegisteredWorld) =>
      this.#isUnused(entry) && entry.world.room !== requester
    const owned: WorldList = this.#byOwner.get(owner) ?? new UsageList()
    for (let visits = owned.size; visits > 0 && owned.first && !hasRoom(); visits--) {
      const { value } = owned.first
      if (mayEvict(value) && usedByOthersAt(value, owner) < retainedSince) this.#remove(value)
      // The next search does not visit this world again before the others.
      else owned.moveToEnd(owned.first)
    }
    if (!includesOthers) return
    let at = this.#all.first
    // The worlds after this one were used later.
    while (at && at.value.usedAtMs < retainedSince && !hasRoom()) {
      const { value, next } = at
      if (mayEvict(value)) this.#remove(value)
      at = next
    }
  }

  #remove(entry: RegisteredWorld): void {
    this.#discard(entry)
    const { world, usedAtMs } = entry
    this.parts.onEvict({ world, idleMs: this.parts.now() - usedAtMs })
  }

  #discard(entry: RegisteredWorld): void {
    const { id, world, owner } = entry
    this.#worlds.delete(id)
    entry.remove()
    if (this.#byOwner.get(owner)?.size === 0) this.#byOwner.delete(owner)
    this.#close(world)
  }

  #close(world: World): void {
    world.close()
    this.parts.onRemove(world)
  }

  /** Moves a world to the end. */
  #use(entry: RegisteredWorld, client: Client | undefined): void {
    if (entry.user !== client) {
      entry.othersUsedAtMs = entry.usedAtMs
      entry.user = client
    }
    entry.usedAtMs = this.parts.now()
    entry.moveToEnd()
  }
}

/** Returns the time of the latest use of a world by another client than its owner. */
function usedByOthersAt(entry: RegisteredWorld, owner: Client | undefined): number {
  const isOwner = entry.user === undefined || entry.user === owner
  return isOwner ? entry.othersUsedAtMs : entry.usedAtMs
}

function createFullProblem(maxWorlds: number): Problem {
  const message = `the sandbox is at its limit of ${maxWorlds} worlds, and other clients use them; this is not a limit of the service`
  return new Problem('sandbox_capacity', message, 60)
}
