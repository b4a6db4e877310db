import type { Sandbox } from '../../engine/sandbox.js'
import type { SinceResult, Store, Version } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import { createSeedDocument, hashText } from '../../world/scenario/seed-document.js'
import type { AnyScenarioSource } from '../../world/scenario/source.js'
import { SessionStore } from './session-store.js'

/**
 * The store of a page. A world that does not fit into the storage is not stored, and does not affect
 * requests.
 */
class TabStore extends SessionStore {
  readonly #omitted = new Set<string>()

  constructor(
    storage: Storage,
    prefix: string,
    readonly warn: (message: string) => void,
  ) {
    super(storage, prefix)
  }

  override async append(id: string, expected: Version, step: string): Promise<SinceResult> {
    if (this.#omitted.has(id)) return { type: 'current' }
    try {
      return await super.append(id, expected, step)
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
      if (persisted) core.worlds.stored?.reload(core.worlds.all()).catch(report)
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

/** The store of a tab. */
export interface Tab {
  readonly store: Store
  openSession(core: Sandbox): Session
}

/**
 * Opens the store of this tab. Returns undefined if the browser denies access.
 *
 * @param key Prefix of the keys in the session storage.
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 */
export async function openTab(
  key: string,
  library: ScenarioLibrary,
  scenario: AnyScenarioSource,
  warn: (message: string) => void,
): Promise<Tab | undefined> {
  const storage = findSessionStorage(warn)
  if (!storage) return undefined
  const prefix = await toPrefix(key, library, scenario)
  removeItems(storage, (name) => name.startsWith(`${key}:`) && !name.startsWith(`${prefix}!`))
  return {
    store: new TabStore(storage, prefix, warn),
    openSession: (core) => new Session(core, storage, key),
  }
}

/** Incremented when an earlier version of this package has stored worlds in another form. */
const form = 2

/**
 * Returns the prefix of the keys in the storage. It depends on the content of the initial scenario,
 * so that a page with another one starts anew.
 */
async function toPrefix(
  key: string,
  library: ScenarioLibrary,
  scenario: AnyScenarioSource,
): Promise<string> {
  const seed = await library.prepare(scenario)
  return `${key}:${form}-${hashText(seed.scenario + createSeedDocument(seed).id)}`
}

function removeItems(storage: Storage, isRemoved: (key: string) => boolean): void {
  for (const key of Object.keys(storage)) if (isRemoved(key)) storage.removeItem(key)
}

/** Returns the session storage, or undefined if the browser denies access. */
function findSessionStorage(warn: (message: string) => void): Storage | undefined {
  try {
    return sessionStorage
  } catch (error) {
    warn(`session storage is not available, worlds will be lost on reload: ${error}`)
    return undefined
  }
}
