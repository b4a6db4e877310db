import { type SetupWorker, setupWorker } from 'msw/browser'
import { z } from 'zod'
import type { BaseUrls } from '../in-process/handlers.js'
import { sandboxShape } from '../in-process/options.js'
import { InProcessSandbox, prepareSandbox, type SandboxOptions } from '../in-process/sandbox.js'
import type { Platform } from '../sandbox/platform.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { ScenarioLibrary, type ScenarioSource } from '../scenario/library.js'
import type { Scenario } from '../scenario/schema.js'
import { checkOptions, nonEmptyString } from '../validation/options.js'
import { findSessionStorage, WorldStorage } from './storage.js'
import { startWorker, type WorkerOptions } from './worker.js'

/** How a sandbox in a page is started. */
export interface BrowserSandboxOptions extends SandboxOptions, WorkerOptions {
  /** Scenarios that are known by name, beside the built-in ones. */
  readonly scenarios?: readonly Scenario[]
  /**
   * Takes the scenario from the address of the page: `?scenario=low-stock`, several joined with
   * `+`; a text is another name for the parameter. Without the parameter, `scenario` counts.
   */
  readonly scenarioFromUrl?: boolean | string
  /** Keeps every world over a reload of the page, in this tab only. Default: true. */
  readonly persist?: boolean
  /** What the kept worlds are stored under. Default: `petstore-sandbox`. */
  readonly storageKey?: string
  /** Puts the sandbox at `window.petstoreSandbox`, for the console of the browser. */
  readonly expose?: boolean
}

const isOn = z.boolean('true or false')

const shape = {
  ...sandboxShape,
  scenarios: z.array(z.unknown(), 'an array of scenarios'),
  scenarioFromUrl: z.union([isOn, nonEmptyString], 'true, false or the name of a parameter'),
  persist: isOn,
  storageKey: nonEmptyString,
  expose: isOn,
  onUnhandledRequest: z.enum(['bypass', 'warn', 'error'], '"bypass", "warn" or "error"'),
  quiet: isOn,
  serviceWorker: z.strictObject({ url: nonEmptyString, options: z.looseObject({}) }).partial(),
} satisfies Record<keyof BrowserSandboxOptions, unknown>

/** A sandbox in a page, behind msw's service worker. */
export class BrowserSandbox extends InProcessSandbox {
  /** msw's worker: `sandbox.worker.use(...)` puts handlers of your own in front. */
  readonly worker: SetupWorker
  readonly #storage: WorldStorage | undefined

  constructor(core: Sandbox, bases: BaseUrls, storage: WorldStorage | undefined) {
    super(core, bases)
    this.worker = setupWorker(...this.handlers)
    this.#storage = storage
  }

  /** As in every sandbox; both worlds are made at once, so that a reload keeps what they run. */
  override async use(...scenarios: readonly [ScenarioSource, ...ScenarioSource[]]): Promise<void> {
    await super.use(...scenarios)
    this.core.initialWorld('staging')
  }

  /** Puts every world back to its scenario and drops what was kept over reloads. */
  forget(): void {
    this.reset()
    this.#storage?.clear()
  }

  /** Lets requests go to the network again. What was kept stays for the next start. */
  async stop(): Promise<void> {
    this.#storage?.close()
    if (window.petstoreSandbox === this) delete window.petstoreSandbox
    await this.worker.stop()
  }
}

/**
 * Starts a sandbox in this page.
 *
 * @throws {TypeError} When an option is unknown or does not fit.
 */
export async function startBrowserSandbox(
  options: BrowserSandboxOptions,
  platform: Platform,
): Promise<BrowserSandbox> {
  checkOptions(shape, options, 'startSandbox')
  const warn = (message: string) => platform.warn(message)
  const { scenarios = [], persist = true, storageKey = 'petstore-sandbox' } = options
  const library = new ScenarioLibrary()
  library.replaceAdded(scenarios.map((file, at) => ({ file, source: `scenarios[${at}]` })))
  const scenario = readScenarioOfUrl(options) ?? options.scenario ?? 'default'

  const [core, bases] = await prepareSandbox({ ...options, scenario }, library, platform)
  const session = persist ? findSessionStorage(warn) : undefined
  const storage = session && new WorldStorage(core, session, storageKey, warn)
  const sandbox = new BrowserSandbox(core, bases, storage)
  await storage?.open()
  await startWorker(sandbox.worker, options)
  if (options.expose) window.petstoreSandbox = sandbox
  return sandbox
}

function readScenarioOfUrl({
  scenarioFromUrl = false,
}: BrowserSandboxOptions): string[] | undefined {
  if (scenarioFromUrl === false) return undefined
  const parameter = scenarioFromUrl === true ? 'scenario' : scenarioFromUrl
  const value = new URLSearchParams(location.search).get(parameter)
  // In a query, a plus sign is a space; an empty choice is none.
  return value ? value.split(/[ +]/) : undefined
}
