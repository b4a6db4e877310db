import { KeyValueStore, type KeyValues, type Write } from './key-value.js'
import type { SinceResult, Version } from './store.js'

/** A web storage. A write is completed before other tasks run, so that a page can write while it is closed. */
class StorageValues implements KeyValues {
  constructor(
    readonly storage: Storage,
    readonly prefix: string,
  ) {}

  async get(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return keys.map((key) => this.storage.getItem(`${this.prefix}!${key}`) ?? undefined)
  }

  async list(kind: string): Promise<readonly string[]> {
    const { storage } = this
    const start = `${this.prefix}!`
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
    const found = keys.filter((key) => key.startsWith(`${start}${kind}!`))
    return found.map((key) => key.slice(start.length))
  }

  async write(writes: readonly Write[]): Promise<void> {
    const items = writes.map(([key, value]): Write => [`${this.prefix}!${key}`, value])
    const before = items.map(([key]): Write => [key, this.storage.getItem(key) ?? undefined])
    try {
      this.#setAll(items)
    } catch (error) {
      for (const [key] of items) this.storage.removeItem(key)
      this.#setAll(before)
      throw error
    }
  }

  #setAll(items: readonly Write[]): void {
    for (const [key, value] of items) {
      if (value === undefined) this.storage.removeItem(key)
      else this.storage.setItem(key, value)
    }
  }

  async close(): Promise<void> {}
}

/**
 * The store of a page. A world that does not fit into the storage is not stored, and does not affect
 * requests.
 */
export class SessionStore extends KeyValueStore {
  /** About 600,000 characters of the 5 million that browsers grant. */
  readonly maximumFacts = 2_000
  readonly #omitted = new Set<string>()

  /** @param warn Called with what does not fit. */
  constructor(
    storage: Storage,
    prefix: string,
    readonly warn: (message: string) => void,
  ) {
    super('session storage', prefix, new StorageValues(storage, prefix), () => 0)
  }

  override async append(
    id: string,
    expected: Version,
    step: string,
    base?: string,
    retained?: number,
  ): Promise<SinceResult> {
    if (this.#omitted.has(id)) return { type: 'current' }
    try {
      return await super.append(id, expected, step, base, retained)
    } catch {
      // Steps that are retained for their journal entries only give way.
      await this.removeRetained()
    }
    try {
      return await super.append(id, expected, step, base)
    } catch (error) {
      if (this.#omitted.size === 0) this.warn(`a world will be lost on reload: ${error}`)
      this.#omitted.add(id)
      // An outdated state must not be restored.
      await this.remove(id)
      return { type: 'current' }
    }
  }

  /** A world whose scenario does not fit starts anew when the page is reloaded. */
  override async saveSeed(id: string, data: string): Promise<void> {
    await super.saveSeed(id, data).catch((error) => this.warn(String(error)))
  }
}
