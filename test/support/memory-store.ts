import type { NewStep, Store, StoredWorld, Version } from '../../src/store/store.js'

interface MemoryWorld {
  version: Version
  base: StoredWorld['base']
  steps: string[]
}

/** The simplest implementation of the contract, which several sandboxes of a test can share. */
export class MemoryStore implements Store {
  readonly kind = 'memory'
  readonly location = 'this test'
  readonly worlds = new Map<string, MemoryWorld>()
  readonly seeds = new Map<string, string>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Called at the start of each access. May throw a StoreError. */
  onAccess: (method: string) => void | Promise<void> = () => {}
  /** Whether followers are notified. */
  notifies = true
  /** Time since the last append on the clock of the store. */
  ageMs: number | undefined

  readonly readSince?: NonNullable<Store['readSince']>
  readonly follow?: NonNullable<Store['follow']>

  /** @param isExclusive Whether only one sandbox uses the store. */
  constructor(isExclusive: boolean) {
    if (isExclusive) return
    this.readSince = (id, version) => this.findSince(id, version)
    this.follow = (id, listener) => this.addFollower(id, listener)
  }

  async load(id: string): Promise<StoredWorld | undefined> {
    await this.onAccess('load')
    const world = this.worlds.get(id)
    const { ageMs } = this
    return world && { ...world, steps: [...world.steps], ...(ageMs !== undefined && { ageMs }) }
  }

  async append(
    id: string,
    expected: Version,
    { step, base, retained = 1 }: NewStep,
  ): Promise<boolean> {
    await this.onAccess('append')
    const { lineage, number } = expected
    const created = { version: expected, base: undefined, steps: [] }
    const world = this.worlds.get(id) ?? (number === 0 ? created : undefined)
    if (!world || this.#since(world, expected)?.steps.length !== 0) return false
    world.steps.push(step)
    world.version = { lineage, number: number + 1 }
    if (base !== undefined) {
      world.base = { number: number + 1, data: base }
      world.steps = world.steps.slice(-retained)
    }
    this.worlds.set(id, world)
    this.#notify(id)
    return true
  }

  /** Returns the number of listeners of a world. */
  countFollowers(id: string): number {
    return this.#listeners.get(id)?.size ?? 0
  }

  async findSince(id: string, version: Version): Promise<StoredWorld | undefined> {
    await this.onAccess('readSince')
    return this.#since(this.worlds.get(id), version)
  }

  addFollower(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    void Promise.resolve().then(() => {
      if (this.notifies && listeners.has(listener)) listener()
    })
    return () => listeners.delete(listener)
  }

  async removeOthers(ids: readonly string[]): Promise<void> {
    await this.onAccess('removeOthers')
    for (const id of this.worlds.keys()) {
      if (ids.includes(id)) continue
      this.worlds.delete(id)
      this.#notify(id)
    }
  }

  async saveSeed(id: string, read: () => string): Promise<void> {
    await this.onAccess('saveSeed')
    if (!this.seeds.has(id)) this.seeds.set(id, read())
  }

  async loadSeed(id: string): Promise<string | undefined> {
    return this.seeds.get(id)
  }

  async check(): Promise<void> {
    await this.onAccess('check')
  }

  async close(): Promise<void> {}

  #notify(id: string): void {
    if (!this.notifies) return
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }

  #since(world: MemoryWorld | undefined, { lineage, number }: Version): StoredWorld | undefined {
    if (world?.version.lineage !== lineage) return undefined
    const { ageMs } = this
    const first = world.steps.length - world.version.number + number
    if (first < 0 || first > world.steps.length) return undefined
    const steps = world.steps.slice(first)
    return { version: world.version, base: undefined, steps, ...(ageMs !== undefined && { ageMs }) }
  }
}
