import { KeyValueStore, type Write } from './key-value.js'
import type { NewStep, Version } from './store.js'

/**
 * The store of a page, in a web storage. A step is stored before other tasks run, so that it is also
 * stored while the page is being closed. A world that does not fit is not stored.
 */
export class SessionStore extends KeyValueStore {
  readonly kind = 'session storage'
  /** About 600,000 characters of the 5 million that browsers grant. */
  readonly maximumFacts = 2_000
  readonly #omitted = new Set<string>()

  /**
   * @param prefix Start of the keys.
   * @param warn Called with a message if a world does not fit.
   */
  constructor(
    readonly storage: Storage,
    readonly prefix: string,
    readonly warn: (message: string) => void,
  ) {
    super(prefix, () => 0)
  }

  override async append(id: string, expected: Version, added: NewStep): Promise<boolean> {
    if (this.#omitted.has(id)) return true
    try {
      return await super.append(id, expected, added)
    } catch {
      // Steps that are retained only for their journal entries are removed first.
      await this.removeRetained()
    }
    try {
      return await super.append(id, expected, { ...added, retained: 1 })
    } catch (error) {
      if (this.#omitted.size === 0) this.warn(`a world will be lost on reload: ${error}`)
      this.#omitted.add(id)
      // An outdated state must not be restored, and a part of a new one must not occupy space.
      await this.removeWorlds((other) => other === id)
      await this.write([[`base!${id}`], [`step!${id}!${expected.number + 1}`]])
      return true
    }
  }

  /** A world whose scenario does not fit starts anew when the page is reloaded. */
  override async saveSeed(id: string, read: () => string): Promise<void> {
    await super.saveSeed(id, read).catch((error) => this.warn(String(error)))
  }

  async close(): Promise<void> {}

  protected get(key: string): string | undefined {
    return this.storage.getItem(`${this.prefix}!${key}`) ?? undefined
  }

  protected async find(start: string): Promise<readonly string[]> {
    const { storage, prefix } = this
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
    const found = keys.filter((key) => key.startsWith(`${prefix}!${start}`))
    return found.map((key) => key.slice(prefix.length + 1))
  }

  /** If this fails, the next `append` writes the same keys again, or removes them. */
  protected async write(writes: readonly Write[]): Promise<void> {
    for (const [key, value] of writes) {
      const name = `${this.prefix}!${key}`
      if (value === undefined) this.storage.removeItem(name)
      else this.storage.setItem(name, value)
    }
  }
}
