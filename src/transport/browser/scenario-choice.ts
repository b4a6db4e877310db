import { platform } from '../../engine/platform.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { AnyScenarioSource } from '../../world/scenario/source.js'

/**
 * The scenario in the URL of the page. The session storage retains its name for pages of this tab
 * without a scenario in the URL.
 */
export class ScenarioChoice {
  /** Undefined if neither the URL nor the session storage names a scenario. */
  readonly names: readonly string[] | undefined
  readonly #isFromUrl: boolean

  /**
   * @param parameter Name of the parameter in the URL of the page. Undefined if the URL names no scenario.
   * @param storageKey Prefix of the keys in the session storage.
   */
  constructor(
    readonly parameter: string | undefined,
    readonly storageKey: string,
    readonly library: ScenarioLibrary,
  ) {
    const value = readParameter(parameter)
    const names = value ? splitNames(value) : undefined
    // The page has started the scenario and named it in its URL: the stored worlds run it.
    const isUsed = names && names.join('+') === this.#read('used') && !isOpened()
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
    // The restored worlds run another scenario, which was started since.
    const { scenario } = core.worlds.initial('production')
    if (isOpened() && scenario !== core.worlds.initialSeed.scenario) core.worlds.reset()
  }

  /** Retains scenarios for this tab, if all of them are known by their names. */
  remember(scenarios: readonly AnyScenarioSource[]): void {
    this.forget()
    this.#write('scenario', scenarios)
  }

  /** Retains the scenarios of stored worlds that the page has started since. */
  rememberUsed(scenarios: readonly AnyScenarioSource[]): void {
    this.#write('used', scenarios)
  }

  forget(): void {
    for (const name of ['scenario', 'used']) {
      access((storage) => storage.removeItem(`${this.storageKey}.${name}`))
    }
  }

  #recall(): string[] | undefined {
    const value = this.#read('scenario')
    const names = value?.split('+')
    if (!names || names.every((name) => this.library.has(name))) return names
    platform.warn(`the scenario "${value}" of this tab is unknown now; it is ignored`)
    this.forget()
    return undefined
  }

  #read(name: 'scenario' | 'used'): string | undefined {
    return access((storage) => storage.getItem(`${this.storageKey}.${name}`)) ?? undefined
  }

  #write(name: 'scenario' | 'used', scenarios: readonly AnyScenarioSource[]): void {
    if (!this.parameter) return
    const key = `${this.storageKey}.${name}`
    const isKnown = scenarios.every((name) => typeof name === 'string' && this.library.has(name))
    access((storage) =>
      isKnown ? storage.setItem(key, scenarios.join('+')) : storage.removeItem(key),
    )
  }
}

/** Does nothing if the browser denies access, or the storage is full. */
function access<Result>(action: (storage: Storage) => Result): Result | undefined {
  try {
    return action(sessionStorage)
  } catch {
    return undefined
  }
}

/**
 * Returns the scenarios in the URL of the page. Undefined if there are none, or the page was not opened
 * anew.
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
