import { platform } from '../../engine/platform.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { SessionStore } from '../../store/session.js'
import type { Store } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import { toSeedId } from '../../world/scenario/snapshot.js'
import type { AnyScenarioSource } from '../../world/scenario/source.js'

/** Incremented when the form of stored worlds changes. */
const form = 2

/**
 * Opens the store of this tab. Returns undefined if the browser denies access. The prefix of its keys
 * depends on the content of the initial scenario, so that a page with another one starts anew.
 *
 * @param key Start of the keys in the session storage.
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 */
export async function openTabStore(
  key: string,
  library: ScenarioLibrary,
  scenario: AnyScenarioSource,
): Promise<Store | undefined> {
  const seed = await library.prepare(scenario)
  const prefix = `${key}:${form}-${seed.scenario}-${await toSeedId(seed)}`
  try {
    clearTabStore(key, (name) => !name.startsWith(`${prefix}!`))
    return new SessionStore(sessionStorage, prefix, (text) => platform.warn(text))
  } catch (error) {
    platform.warn(`session storage is not available, worlds will be lost on reload: ${error}`)
    return undefined
  }
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
  const report = (error: unknown) => core.settings.platform.reportError(error)
  const save = () => void core.worlds.stored?.save(core.worlds.all()).catch(report)
  addEventListener('pagehide', save, { signal })
  // After a restore from the back/forward cache, another page of this tab may have written.
  const reload = ({ persisted }: PageTransitionEvent) => {
    if (persisted) core.worlds.stored?.reload(core.worlds.all()).catch(report)
  }
  addEventListener('pageshow', reload, { signal })
  return () => listeners.abort()
}
