import { z } from 'zod'
import { environments } from '../contract/addresses.js'
import type { World } from '../control/world.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { ScenarioSource } from '../scenario/library.js'
import type { Scenario } from '../scenario/schema.js'
import type { WorldSeed } from '../world/seed.js'
import type { WorldName } from '../world/world.js'

/** One world as it is kept. */
const storedWorldSchema = z.object({
  /** Mark of the scenario that the sandbox began with. */
  start: z.string(),
  /** Milliseconds since 1970 of the real time. */
  savedAtMs: z.number(),
  name: z.object({ environment: z.enum(environments), scenario: z.string(), label: z.string() }),
  /** What the world runs; without it, what its sandbox began with. */
  scenario: z.custom<ScenarioSource>().optional(),
  state: z.custom<Scenario>((value) => typeof value === 'object' && value !== null),
})

/** Writing takes at most this share of the time. */
const writingShare = 0.1

/**
 * Keeps the worlds of a sandbox in the storage of this tab: each world that changed is written as a
 * snapshot right after the call, and all of them when the page goes.
 */
export class WorldStorage {
  readonly #changed = new Set<World>()
  readonly #startMark: string
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
    this.#startMark = toMark(core.initialSeed)
  }

  /** Takes up what was kept and keeps every change from now on. */
  async open(): Promise<void> {
    await this.#restore()
    const { signal } = this.#listeners
    const end = this.core.watch((world) => this.#note(world))
    signal.addEventListener('abort', end)
    addEventListener('pagehide', () => this.#writeAll(), { signal })
    // The page comes back as it was, but another page of this tab may have written since.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#restore(), { signal })
  }

  /** Writes what has changed and keeps nothing further. */
  close(): void {
    this.#writeAll()
    this.#listeners.abort()
  }

  /** Drops everything that was kept. */
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
        this.#warnOnce(`a world that was kept could not be taken up again: ${error}`)
      }
    }
  }

  async #restoreWorld(text: string): Promise<void> {
    const stored = storedWorldSchema.parse(JSON.parse(text))
    // The page asks for another scenario now, or its own scenario has changed.
    if (stored.start !== this.#startMark) return this.storage.removeItem(this.#toKey(stored.name))
    const { library, platform } = this.core.settings
    const { world } = await this.core.identify(toApiKey(stored.name), stored.name.environment)
    if (stored.scenario) world.start(await library.prepare(stored.scenario))
    const elapsedMs = platform.now() - stored.savedAtMs
    world.resume(await library.prepare(letTimePass(stored.state, elapsedMs)))
  }

  #note(world: World): void {
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
    this.#pauseMs = (this.core.monotonic() - startedAt) * (1 / writingShare - 1)
  }

  #write(world: World): void {
    const { library, platform } = this.core.settings
    const { name, seed } = world
    const isInitial = seed === this.core.initialSeed
    const stored: z.input<typeof storedWorldSchema> = {
      start: this.#startMark,
      savedAtMs: platform.now(),
      name,
      scenario: isInitial ? undefined : library.sourceOf(seed),
      state: world.snapshot(),
    }
    const key = this.#toKey(name)
    try {
      this.storage.setItem(key, JSON.stringify(stored))
    } catch (error) {
      // An older state would be worse than none.
      this.storage.removeItem(key)
      this.#warnOnce(`a reload will not keep ${key}, it could not be stored: ${error}`)
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

/** The storage of this tab; undefined where the browser denies it. */
export function findSessionStorage(warn: (message: string) => void): Storage | undefined {
  try {
    return sessionStorage
  } catch (error) {
    warn(`a reload will not keep the world, this page has no session storage: ${error}`)
    return undefined
  }
}

/** A key that reaches the world; which plan it is on does not matter. */
function toApiKey({ scenario, label }: WorldName): string {
  return label === '' ? `sbx_free_${scenario}` : `sbx_free_${scenario}_${label}`
}

/** A running clock shows after the reload what it would show without one. */
function letTimePass(state: Scenario, elapsedMs: number): Scenario {
  const { clock } = state
  if (clock?.now === undefined || clock.frozen) return state
  const now = new Date(Date.parse(clock.now) + elapsedMs).toISOString()
  return { ...state, clock: { ...clock, now } }
}

/** A short text that is another one for another scenario: FNV-1a of all that it states. */
function toMark(seed: WorldSeed): string {
  const { inventoryUpdateSchema: _, ...rules } = seed.rules
  const text = JSON.stringify({ ...seed, rules })
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return `${seed.scenario} ${(hash >>> 0).toString(36)} ${text.length}`
}
