import type { World } from '../control/world.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ScenarioSource } from '../scenario/library.js'
import type { Scenario } from '../scenario/schema.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName } from '../world/world.js'

/**
 * Form of the stored worlds. It changes when worlds that an earlier version of this package has
 * stored in the same tab cannot be restored.
 */
const currentForm = 1

/** A world in session storage. It is not validated, because only this file writes it. */
interface StoredWorld {
  readonly form: typeof currentForm
  /** Fingerprint of the initial scenario of the sandbox. */
  readonly start: string
  /** Real time in milliseconds since the epoch. */
  readonly savedAtMs: number
  readonly name: WorldName
  /** Scenario of the world. Undefined for the initial scenario. */
  readonly scenario?: ScenarioSource | undefined
  /** A snapshot. */
  readonly state: Scenario
}

/** Maximum fraction of time that is spent on writing. */
const maximumWriteFraction = 0.1

/**
 * Stores the worlds of a sandbox in the session storage of this tab. A changed world is written as a
 * snapshot after the request, and all worlds are written when the page is hidden.
 */
export class WorldStorage {
  readonly #changed = new Set<World>()
  readonly #startFingerprint: string
  readonly #listeners = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #pauseMs = 0
  #hasWarned = false

  constructor(
    readonly core: Sandbox,
    readonly storage: Storage,
    readonly key: string,
    readonly warn: (message: string) => void,
  ) {
    this.#startFingerprint = toFingerprint(core.initialSeed)
  }

  /** Restores the stored worlds and starts to store changes. */
  async open(): Promise<void> {
    await this.#restore()
    const { signal } = this.#listeners
    const stop = this.core.watch((world) => this.#scheduleWrite(world))
    signal.addEventListener('abort', stop)
    addEventListener('pagehide', () => this.#writeAll(), { signal })
    // After a restore from the back/forward cache, another page of this tab may have written.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#restore(), { signal })
  }

  /** Writes all worlds and stops storing changes. */
  close(): void {
    this.#writeAll()
    this.#listeners.abort()
  }

  /** Removes all stored worlds. */
  clear(): void {
    this.#changed.clear()
    for (const key of this.#keys()) this.storage.removeItem(key)
  }

  async #restore(): Promise<void> {
    for (const key of this.#keys()) {
      try {
        await this.#restoreWorld(this.storage.getItem(key) ?? '')
      } catch (error) {
        this.storage.removeItem(key)
        this.#warnOnce(`a stored world could not be restored: ${error}`)
      }
    }
  }

  async #restoreWorld(text: string): Promise<void> {
    const stored: StoredWorld = JSON.parse(text)
    if (stored.form !== currentForm) throw new Error('another version has stored it')
    // The page has another initial scenario, or the content of the scenario has changed.
    if (stored.start !== this.#startFingerprint)
      return this.storage.removeItem(this.#toKey(stored.name))
    const { library, platform } = this.core.settings
    const { world } = await this.core.identify(toApiKey(stored.name), stored.name.environment)
    if (stored.scenario) world.replace(await library.prepare(stored.scenario))
    const elapsedMs = platform.now() - stored.savedAtMs
    world.resume(await library.prepareSnapshot(addElapsedTime(stored.state, elapsedMs)))
  }

  #scheduleWrite(world: World): void {
    this.#changed.add(world)
    this.#timer ??= setTimeout(() => this.#writeChanged(), this.#pauseMs)
  }

  #writeAll(): void {
    for (const world of this.core.worlds()) this.#changed.add(world)
    this.#writeChanged()
  }

  #writeChanged(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const startedAt = this.core.monotonic()
    const worlds = this.core.worlds()
    const keys = new Set(worlds.map(({ name }) => this.#toKey(name)))
    for (const key of this.#keys()) if (!keys.has(key)) this.storage.removeItem(key)
    for (const world of worlds) if (this.#changed.has(world)) this.#write(world)
    this.#changed.clear()
    this.#pauseMs = (this.core.monotonic() - startedAt) * (1 / maximumWriteFraction - 1)
  }

  #write(world: World): void {
    const { library, platform } = this.core.settings
    const { name, seed } = world
    const isInitial = seed === this.core.initialSeed
    const stored: StoredWorld = {
      form: currentForm,
      start: this.#startFingerprint,
      savedAtMs: platform.now(),
      name,
      scenario: isInitial ? undefined : library.sourceOf(seed),
      state: world.snapshot(),
    }
    const key = this.#toKey(name)
    try {
      this.storage.setItem(key, JSON.stringify(stored))
    } catch (error) {
      // An outdated state must not be restored.
      this.storage.removeItem(key)
      this.#warnOnce(`${key} could not be stored and will be lost on reload: ${error}`)
    }
  }

  #warnOnce(message: string): void {
    if (!this.#hasWarned) this.warn(message)
    this.#hasWarned = true
  }

  #keys(): string[] {
    return Object.keys(this.storage).filter((key) => key.startsWith(`${this.key}:`))
  }

  #toKey({ environment, scenario, label }: WorldName): string {
    return `${this.key}:${environment}/${scenario}/${label}`
  }
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

/** Returns a key of the world. The plan is arbitrary. */
function toApiKey({ scenario, label }: WorldName): string {
  return label === '' ? `sbx_free_${scenario}` : `sbx_free_${scenario}_${label}`
}

/** Advances a running clock by the time since the state was stored. */
function addElapsedTime(state: Scenario, elapsedMs: number): Scenario {
  const { clock } = state
  if (clock?.now === undefined || clock.frozen) return state
  const now = new Date(Date.parse(clock.now) + elapsedMs).toISOString()
  return { ...state, clock: { ...clock, now } }
}

/** Returns a hash of the content of a scenario (FNV-1a). */
function toFingerprint(seed: WorldSeed): string {
  const { template: _, bytes: __, ...settings } = seed
  const { inventoryUpdateSchema: ___, ...rules } = seed.rules
  const text = JSON.stringify({ ...settings, rules })
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return `${seed.scenario} ${(hash >>> 0).toString(36)} ${text.length}`
}
