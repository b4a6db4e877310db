import type {
  FollowListener,
  SinceResult,
  Store,
  StoredBase,
  Version,
} from '../../src/store/store.js'

interface MemoryWorld {
  version: Version
  base: StoredBase | undefined
  records: string[]
}

/** The simplest implementation of the contract, which several sandboxes of a test can share. */
export class MemoryStore implements Store {
  readonly kind = 'memory'
  readonly location = 'this test'
  readonly worlds = new Map<string, MemoryWorld>()
  readonly documents = new Map<string, string>()
  readonly #listeners = new Map<string, Set<FollowListener>>()
  /** Called at the start of each access. May throw a StoreError. */
  onAccess: (method: string) => void | Promise<void> = () => {}

  /** Whether followers are notified, and receive the record. */
  notifies: 'with-record' | 'without-record' | 'never' = 'with-record'

  constructor(readonly isExclusive: boolean) {}

  async load(id: string) {
    await this.onAccess('load')
    const world = this.worlds.get(id)
    return world && { ...world, records: [...world.records] }
  }

  async append(id: string, expected: Version, record: string): Promise<SinceResult> {
    await this.onAccess('append')
    const found = this.worlds.get(id)
    if (!found && expected.number === 0) {
      this.worlds.set(id, {
        version: { ...expected, number: 1 },
        base: undefined,
        records: [record],
      })
      this.#notify(id, record)
      return { type: 'current' }
    }
    const since = this.#since(found, expected)
    if (since.type !== 'current' || !found) return since
    found.records.push(record)
    found.version = { ...expected, number: expected.number + 1 }
    this.#notify(id, record)
    return since
  }

  #notify(id: string, record: string): void {
    const version = this.worlds.get(id)?.version
    if (this.notifies === 'never' || !version) return
    const appended = this.notifies === 'with-record' ? { version, record } : undefined
    for (const listener of this.#listeners.get(id) ?? []) listener(appended)
  }

  /** Returns the number of listeners of a world. */
  countFollowers(id: string): number {
    return this.#listeners.get(id)?.size ?? 0
  }

  async readSince(id: string, version: Version): Promise<SinceResult> {
    await this.onAccess('readSince')
    return this.#since(this.worlds.get(id), version)
  }

  #since(world: MemoryWorld | undefined, { lineage, number }: Version): SinceResult {
    if (!world && number === 0) return { type: 'current' }
    if (!world || world.version.lineage !== lineage) return { type: 'lost' }
    const missing = world.version.number - number
    if (missing === 0) return { type: 'current' }
    if (missing < 0 || missing > world.records.length) return { type: 'lost' }
    return { type: 'behind', records: world.records.slice(-missing) }
  }

  async compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    await this.onAccess('compact')
    const world = this.worlds.get(id)
    if (!world || world.version.lineage !== version.lineage) return
    if (version.number <= (world.base?.number ?? 0)) return
    world.base = { number: version.number, data }
    world.records = world.records.slice(-(world.version.number - version.number + retained))
  }

  follow(id: string, listener: FollowListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  async remove(id: string): Promise<void> {
    await this.onAccess('remove')
    this.worlds.delete(id)
  }

  async list(): Promise<string[]> {
    return [...this.worlds.keys()]
  }

  async saveDocument(id: string, data: string): Promise<void> {
    await this.onAccess('saveDocument')
    this.documents.set(id, data)
  }

  async loadDocument(id: string): Promise<string | undefined> {
    return this.documents.get(id)
  }

  async check(): Promise<void> {
    await this.onAccess('check')
  }

  async close(): Promise<void> {}
}
