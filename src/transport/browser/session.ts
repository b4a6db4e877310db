import type { Sandbox } from '../../engine/sandbox.js'
import type { Store } from '../../store/store.js'
import { hashText } from '../../world/random.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import { createSeedDocument } from '../../world/scenario/snapshot.js'
import type { AnyScenarioSource } from '../../world/scenario/source.js'
import { SessionStore } from './session-store.js'

/**
 * Opens the store of this tab. Returns undefined if the browser denies access.
 *
 * @param key Prefix of the keys in the session storage.
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 */
export async function openTabStore(
  key: string,
  library: ScenarioLibrary,
  scenario: AnyScenarioSource,
  warn: (message: string) => void,
): Promise<Store | undefined> {
  const storage = findSessionStorage(warn)
  if (!storage) return undefined
  const prefix = await toPrefix(key, library, scenario)
  clearTabStore(key, (name) => !name.startsWith(`${prefix}!`))
  return new SessionStore(storage, prefix, warn)
}

/** Removes the stored worlds of this tab. */
export function clearTabStore(key: string, isRemoved = (_name: string) => true): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(`${key}:`) && isRemoved(name)) sessionStorage.removeItem(name)
  }
}

/**
 * Stores the worlds of a sandbox when its page is left, and loads them when the user returns. Returns a
 * function that stops it.
 */
export function saveOnLeave(core: Sandbox): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const report = (error: unknown) => core.reportError(error)
  addEventListener('pagehide', () => void core.save().catch(report), { signal })
  // After a restore from the back/forward cache, another page of this tab may have written.
  const reload = ({ persisted }: PageTransitionEvent) => {
    if (persisted) core.reload().catch(report)
  }
  addEventListener('pageshow', reload, { signal })
  return () => listeners.abort()
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

/** Returns the session storage, or undefined if the browser denies access. */
function findSessionStorage(warn: (message: string) => void): Storage | undefined {
  try {
    return sessionStorage
  } catch (error) {
    warn(`session storage is not available, worlds will be lost on reload: ${error}`)
    return undefined
  }
}
