import type { Sandbox } from '../sandbox/sandbox.js'
import type { ScenarioLibrary, ScenarioSource } from '../scenario/library.js'
import { hashText, toSeedDocument } from '../scenario/seed-document.js'
import type { SinceResult, Version } from '../store/store.js'
import { SessionStore } from './session-store.js'

/**
 * The store of a page. A world that does not fit into the storage is not stored, and does not affect
 * requests.
 */
export class TabStore extends SessionStore {
  readonly #omitted = new Set<string>()

  constructor(
    storage: Storage,
    prefix: string,
    readonly warn: (message: string) => void,
  ) {
    super(storage, prefix)
  }

  override async append(id: string, expected: Version, record: string): Promise<SinceResult> {
    if (this.#omitted.has(id)) return { type: 'current' }
    try {
      return await super.append(id, expected, record)
    } catch (error) {
      if (this.#omitted.size === 0) this.warn(`a world will be lost on reload: ${error}`)
      this.#omitted.add(id)
      // An outdated state must not be restored.
      await this.remove(id)
      return { type: 'current' }
    }
  }

  /** A world whose scenario does not fit starts anew when the page is reloaded. */
  override async saveDocument(id: string, data: string): Promise<void> {
    await super.saveDocument(id, data).catch((error) => this.warn(String(error)))
  }
}

/** Stores the worlds of a sandbox when its page is left, and loads them when the user returns. */
export class Session {
  readonly #listeners = new AbortController()

  constructor(
    readonly core: Sandbox,
    readonly storage: Storage,
    readonly key: string,
  ) {
    const { signal } = this.#listeners
    const report = (error: unknown) => core.reportError(error)
    addEventListener('pagehide', () => void core.save().catch(report), { signal })
    // After a restore from the back/forward cache, another page of this tab may have written.
    const reload = ({ persisted }: PageTransitionEvent) => {
      if (persisted) core.reload().catch(report)
    }
    addEventListener('pageshow', reload, { signal })
  }

  /** Stores all changes. */
  async close(): Promise<void> {
    this.#listeners.abort()
    await this.core.close()
  }

  /** Removes all stored worlds. */
  clear(): void {
    removeItems(this.storage, (key) => key.startsWith(`${this.key}:`))
  }
}

/**
 * Returns the prefix of the keys in the storage. It depends on the content of the initial scenario,
 * so that a page with another one starts anew.
 */
export async function toPrefix(
  key: string,
  library: ScenarioLibrary,
  scenario: ScenarioSource,
): Promise<string> {
  const seed = await library.prepare(scenario)
  return `${key}:${hashText(seed.scenario + JSON.stringify(toSeedDocument(seed)))}`
}

/** Removes the items of a key whose names do not begin with the prefix. */
export function removeOthers(storage: Storage, key: string, prefix: string): void {
  removeItems(storage, (name) => name.startsWith(`${key}:`) && !name.startsWith(`${prefix}!`))
}

function removeItems(storage: Storage, isRemoved: (key: string) => boolean): void {
  for (const key of Object.keys(storage)) if (isRemoved(key)) storage.removeItem(key)
}

/** Returns the session storage, or undefined if the browser denies access. */
export function findSessionStorage(warn: (message: string) => void): Storage | undefined {
  try {
    return sessionStorage
  } catch (error) {
    warn(`session storage is not available, worlds will be lost on reload: ${error}`)
    return undefined
  }
}
