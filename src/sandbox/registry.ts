import type { World } from '../control/world.js'

export interface RegistryLimits {
  readonly maxWorlds: number
  /** Maximum number of pets, orders and messages in all worlds of the registry. */
  readonly maxRecords: number
}

interface RegisteredWorld {
  readonly id: string
  readonly world: World
  /** Number of records when the world was last counted. */
  records: number
}

/** Retains the most recently used worlds within limits. */
export class WorldRegistry {
  /** The least recently used world comes first. */
  readonly #worlds = new Map<string, RegisteredWorld>()
  #latest: RegisteredWorld | undefined
  #records = 0

  /**
   * @param countOthers Returns the number of worlds outside the registry that count towards
   * `maxWorlds`.
   * @param onRemove Called with each world that leaves the registry.
   */
  constructor(
    readonly limits: RegistryLimits,
    readonly countOthers: () => number,
    readonly onRemove: (world: World) => void,
  ) {}

  get size(): number {
    return this.#worlds.size
  }

  /** Returns the worlds, least recently used first. */
  worlds(): World[] {
    return Array.from(this.#worlds.values(), ({ world }) => world)
  }

  /** Returns a world and marks it as used. */
  find(id: string): World | undefined {
    const entry = this.#worlds.get(id)
    if (entry) this.#use(entry)
    return entry?.world
  }

  /** Adds a world and evicts the least recently used ones beyond the limits. */
  add(id: string, world: World): void {
    const entry = { id, world, records: 0 }
    this.#use(entry)
    this.#evict()
  }

  /** Updates the number of records of a world and evicts worlds beyond the limits. */
  recount(id: string): void {
    const entry = this.#worlds.get(id)
    if (entry) this.#count(entry)
    this.#evict()
  }

  clear(): void {
    for (const { world } of this.#worlds.values()) this.onRemove(world)
    this.#worlds.clear()
    this.#latest = undefined
    this.#records = 0
  }

  #evict(): void {
    for (const entry of this.#worlds.values()) {
      if (this.#worlds.size <= 1 || !this.#isOverLimit()) return
      this.#worlds.delete(entry.id)
      this.#records -= entry.records
      this.onRemove(entry.world)
    }
  }

  /**
   * Moves a world to the end. Recounts the previously used world, whose records may have changed.
   */
  #use(entry: RegisteredWorld): void {
    if (entry === this.#latest) return
    if (this.#latest) this.#count(this.#latest)
    this.#worlds.delete(entry.id)
    this.#worlds.set(entry.id, entry)
    this.#latest = entry
    this.#count(entry)
  }

  #count(entry: RegisteredWorld): void {
    const records = entry.world.db.recordCount
    this.#records += records - entry.records
    entry.records = records
  }

  #isOverLimit(): boolean {
    if (this.#worlds.size + this.countOthers() > this.limits.maxWorlds) return true
    return this.#records > this.limits.maxRecords
  }
}
