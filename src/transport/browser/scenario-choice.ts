import type { Sandbox } from '../../engine/sandbox.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { AnyScenarioSource } from '../../world/scenario/source.js'

export interface ScenarioChoiceParts {
  /** Name of the parameter in the URL of the page. Undefined if the URL names no scenario. */
  readonly parameter: string | undefined
  /** Prefix of the key in the session storage. */
  readonly storageKey: string
  readonly library: ScenarioLibrary
  readonly warn: (message: string) => void
}

/**
 * The scenario that the URL of the page names. The session storage retains its name for the pages of
 * this tab that do not name one.
 */
export class ScenarioChoice {
  /** Undefined if neither the URL nor the session storage names a scenario. */
  readonly names: readonly string[] | undefined
  readonly #isFromUrl: boolean

  constructor(readonly parts: ScenarioChoiceParts) {
    const { parameter } = parts
    const value = readParameter(parameter)
    const names = value ? splitNames(value) : undefined
    // The page has started the scenario and named it in its URL: the stored worlds run it.
    const isUsed = names && names.join('+') === this.#read(this.#usedKey) && !isOpened()
    this.#isFromUrl = typeof value === 'string' && !isUsed
    if (isUsed) this.names = this.#recall()
    else if (names) this.names = names
    else if (value === '') this.forget()
    else if (parameter) this.names = this.#recall()
  }

  /** Remembers the scenario of the URL, and starts it if the user has opened the URL anew. */
  apply(core: Sandbox): void {
    if (!this.#isFromUrl || !this.names) return
    this.remember(this.names)
    // Another scenario was started since, whose worlds were restored.
    const { scenario } = core.worlds.initial('production')
    if (isOpened() && scenario !== core.worlds.initialSeed.scenario) core.worlds.reset()
  }

  /** Retains scenarios for this tab. Scenarios that are not known by a name are not retained. */
  remember(scenarios: readonly AnyScenarioSource[]): void {
    this.forget()
    this.#write(this.#key, scenarios)
  }

  /** Retains the scenarios of stored worlds that the page has started since. */
  rememberUsed(scenarios: readonly AnyScenarioSource[]): void {
    this.#write(this.#usedKey, scenarios)
  }

  forget(): void {
    this.#access((storage) => {
      storage.removeItem(this.#key)
      storage.removeItem(this.#usedKey)
    })
  }

  #write(key: string, scenarios: readonly AnyScenarioSource[]): void {
    const { parameter, library } = this.parts
    if (!parameter) return
    const isKnown = scenarios.every((name) => typeof name === 'string' && library.has(name))
    this.#access((storage) =>
      isKnown ? storage.setItem(key, scenarios.join('+')) : storage.removeItem(key),
    )
  }

  #read(key: string): string | undefined {
    return this.#access((storage) => storage.getItem(key)) ?? undefined
  }

  #recall(): string[] | undefined {
    const { library, warn } = this.parts
    const value = this.#read(this.#key)
    const names = value?.split('+')
    if (!names || names.every((name) => library.has(name))) return names
    warn(`the scenario "${value}" of this tab is unknown now; it is ignored`)
    this.forget()
    return undefined
  }

  get #key(): string {
    return `${this.parts.storageKey}.scenario`
  }

  get #usedKey(): string {
    return `${this.parts.storageKey}.used`
  }

  /** Does nothing if the browser denies access, or the storage is full. */
  #access<Result>(action: (storage: Storage) => Result): Result | undefined {
    try {
      return action(sessionStorage)
    } catch {
      return undefined
    }
  }
}

/**
 * Returns the scenarios that the URL of the page names. Undefined if it names none, or the page was
 * not opened anew.
 */
export function readNewlyNamed(parameter: string | undefined): string[] | undefined {
  const value = isOpened() ? readParameter(parameter) : undefined
  return value ? splitNames(value) : undefined
}

function readParameter(parameter: string | undefined): string | undefined {
  if (parameter === undefined) return undefined
  return new URLSearchParams(location.search).get(parameter) ?? undefined
}

function splitNames(value: string): string[] {
  // URLSearchParams decodes a plus sign to a space.
  return value.split(/[ +]/)
}

/** Whether the page was opened by a link or its URL, and not reloaded or restored from the history. */
function isOpened(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate' // of this type
}
