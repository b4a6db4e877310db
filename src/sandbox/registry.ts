import { Problem } from '../contract/errors.js'
import type { World } from '../control/world.js'
import type { MemoryAccount } from '../memory/account.js'
import type { Client } from '../pipeline/client.js'

export interface RegistryLimits {
  /** Maximum number of worlds; undefined for none. */
  readonly maxWorlds: number | undefined
  /** Time for which a world is retained for the clients that used it, in milliseconds. */
  readonly retainMs: number
}

/** An evicted world. */
export interface Eviction {
  readonly world: World
  /** Real time since its last use, in milliseconds. */
  readonly idleMs: number
}

interface RegisteredWorld {
  readonly id: string
  readonly world: World
  /** The account of the client that created the world; in process, that of the sandbox. */
  readonly owner: MemoryAccount
  /** The client of the latest use. */
  user: Client | undefined
  usedAtMs: number
  /** Time of the latest use by another client than `user`. */
  othersUsedAtMs: number
  /** Number of reasons not to evict the world. */
  pins: number
}

/** Worlds, least recently used first. */
type WorldList = Map<string, RegisteredWorld>

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
 * recently, is never evicted for it.
 */
export class WorldRegistry {
  readonly #worlds: WorldList = new Map()
  readonly #byOwner = new Map<MemoryAccount, WorldList>()
  #latest: RegisteredWorld | undefined

  constructor(readonly parts: RegistryParts) {}

  get size(): number {
    return this.#worlds.size
  }

  /** Returns the worlds, least recently used first. */
  worlds(): World[] {
    return Array.from(this.#worlds.values(), ({ world }) => world)
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
   * @param owner The account of the client that creates a world.
   * @throws {Problem} sandbox_capacity, if no world may be evicted.
   */
  makeRoomForWorld(owner: MemoryAccount): void {
    const { limits, countOthers } = this.parts
    const { maxWorlds = Number.POSITIVE_INFINITY } = limits
    const isFull = () => this.#worlds.size + countOthers() >= maxWorlds
    if (isFull()) this.#evict(owner, true, () => !isFull())
    // One world always fits, so that a sandbox whose initial worlds reach the limit is usable.
    if (isFull() && this.#worlds.size > 0) throw createFullProblem(maxWorlds)
  }

  /** Adds a world that a client created. */
  add(id: string, world: World, owner: MemoryAccount, client: Client | undefined): void {
    const usedAtMs = this.parts.now()
    const othersUsedAtMs = Number.NEGATIVE_INFINITY
    const entry = { id, world, owner, user: client, usedAtMs, othersUsedAtMs, pins: 0 }
    const owned: WorldList = this.#byOwner.get(owner) ?? new Map()
    this.#byOwner.set(owner, owned.set(id, entry))
    this.#worlds.set(id, entry)
    this.#latest = entry
  }

  /**
   * Evicts worlds until an account has room.
   *
   * @param full The account that is full: of a client, or of the sandbox.
   * @param requester The account that needs the bytes: `full`, or one inside it.
   * @param missing Number of bytes.
   */
  makeRoom(full: MemoryAccount, requester: MemoryAccount, missing: number): void {
    const target = full.used - missing
    const owner = this.#findOwner(requester)
    const isShared = full.options.parent === undefined
    this.#evict(owner, isShared, () => full.used <= target, requester)
  }

  /** Prevents the eviction of a world. Returns a function that allows it again. */
  pin(id: string): () => void {
    const entry = this.#worlds.get(id)
    if (!entry) return () => {}
    entry.pins += 1
    let isPinned = true
    return () => {
      if (isPinned) entry.pins -= 1
      isPinned = false
    }
  }

  /** Removes all worlds. */
  clear(): void {
    for (const { world } of this.#worlds.values()) this.#close(world)
    this.#worlds.clear()
    this.#byOwner.clear()
    this.#latest = undefined
  }

  /** Whether an account owns worlds. */
  hasWorlds(owner: MemoryAccount): boolean {
    return this.#byOwner.has(owner)
  }

  /** Returns the account of the client that an account belongs to. */
  #findOwner(account: MemoryAccount): MemoryAccount {
    let found = account
    while (!this.#byOwner.has(found) && found.options.parent) found = found.options.parent
    return found
  }

  /**
   * Evicts worlds of an owner, and then worlds that nobody used recently, until there is room.
   *
   * @param includesOthers Whether to evict worlds of other owners.
   * @param requester Account of a world that is not evicted.
   */
  #evict(
    owner: MemoryAccount,
    includesOthers: boolean,
    hasRoom: () => boolean,
    requester?: MemoryAccount,
  ): void {
    const retainedSince = this.parts.now() - this.parts.limits.retainMs
    const mayEvict = ({ world, pins }: RegisteredWorld) =>
      pins === 0 && world.pendingRequests === 0 && world.memory !== requester
    for (const entry of this.#byOwner.get(owner)?.values() ?? []) {
      if (hasRoom()) return
      if (mayEvict(entry) && usedByOthersAt(entry, owner) < retainedSince) this.#remove(entry)
    }
    if (!includesOthers) return
    for (const entry of this.#worlds.values()) {
      // The worlds after this one were used later.
      if (hasRoom() || entry.usedAtMs >= retainedSince) return
      if (mayEvict(entry)) this.#remove(entry)
    }
  }

  #remove(entry: RegisteredWorld): void {
    const { id, world, owner, usedAtMs } = entry
    const owned = this.#byOwner.get(owner)
    this.#worlds.delete(id)
    owned?.delete(id)
    if (owned?.size === 0) this.#byOwner.delete(owner)
    if (this.#latest === entry) this.#latest = undefined
    this.#close(world)
    this.parts.onEvict({ world, idleMs: this.parts.now() - usedAtMs })
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
    if (entry === this.#latest) return
    this.#latest = entry
    moveToEnd(this.#worlds, entry)
    moveToEnd(this.#byOwner.get(entry.owner), entry)
  }
}

function moveToEnd(list: WorldList | undefined, entry: RegisteredWorld): void {
  list?.delete(entry.id)
  list?.set(entry.id, entry)
}

/** Returns the time of the latest use of a world by another client than its owner. */
function usedByOthersAt(entry: RegisteredWorld, owner: MemoryAccount): number {
  const isOwner = entry.user === undefined || entry.user.memory === owner
  return isOwner ? entry.othersUsedAtMs : entry.usedAtMs
}

function createFullProblem(maxWorlds: number): Problem {
  const message = `the sandbox is at its limit of ${maxWorlds} worlds, and other clients use them; this is not a limit of the service`
  return new Problem('sandbox_capacity', message, 60)
}
