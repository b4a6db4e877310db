import { HttpHandler } from 'msw'
import { type SetupWorker, setupWorker } from 'msw/browser'
import { z } from 'zod'
import { lazy } from '../contract/lazy.js'
import { readBaseUrls } from '../in-process/base-urls.js'
import { createInterception, type Interception } from '../in-process/handlers.js'
import { type SandboxOptions, sandboxShape } from '../in-process/options.js'
import { createCore } from '../in-process/prepare.js'
import { InProcessSandbox } from '../in-process/sandbox.js'
import type { PanelHandle, PanelOptions } from '../panel/options.js'
import type { Platform } from '../sandbox/platform.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { StoredWorlds } from '../sandbox/stored-worlds.js'
import { ScenarioLibrary } from '../scenario/library.js'
import type { Scenario } from '../scenario/schema.js'
import { checkOptions, nonEmptyString } from '../validation/options.js'
import { SliceRunner } from '../validation/slices.js'
import { loadPanel } from './panel.js'
import { openTab, type Session } from './session.js'
import { startWorker, takeOverName, type WorkerOptions } from './worker.js'

/** Options of a sandbox in a page. */
export interface BrowserSandboxOptions extends SandboxOptions, WorkerOptions {
  /** Scenarios that are available by name, in addition to the built-in ones. */
  readonly scenarios?: readonly Scenario[] | undefined
  /**
   * Reads the scenario from the URL of the page: `?scenario=low-stock`, several joined with `+`. A
   * string is the name of the parameter. If the URL does not have the parameter, the option
   * `scenario` is used. Default: false.
   */
  readonly scenarioFromUrl?: boolean | string | undefined
  /** Retains all worlds when the page is reloaded, in this tab only. Default: true. */
  readonly persist?: boolean | undefined
  /** Prefix of the keys in session storage. Default: `petstore-sandbox`. */
  readonly storageKey?: string | undefined
  /** Sets `window.petstoreSandbox`, for use in the developer tools. Default: false. */
  readonly expose?: boolean | undefined
  /**
   * Adds a panel to the page that shows and controls a world, or one with options. Its code is loaded
   * on demand. Default: false.
   */
  readonly panel?: boolean | PanelOptions | undefined
}

const boolean = lazy(() => z.boolean('true or false'))

const shape = {
  ...sandboxShape,
  scenarios: () => z.array(z.unknown(), 'an array of scenarios'),
  scenarioFromUrl: () =>
    z.union([boolean(), nonEmptyString()], 'true, false or the name of a parameter'),
  persist: boolean,
  storageKey: nonEmptyString,
  expose: boolean,
  panel: () => z.union([boolean(), z.looseObject({})], 'true, false or the options of a panel'),
  onUnhandledRequest: () => z.enum(['bypass', 'warn', 'error'], '"bypass", "warn" or "error"'),
  quiet: boolean,
  serviceWorker: () =>
    z.strictObject({ url: nonEmptyString(), options: z.looseObject({}) }).partial(),
} satisfies Record<keyof BrowserSandboxOptions, unknown>

/** A sandbox in a page. msw's service worker intercepts the requests to it. */
export class BrowserSandbox extends InProcessSandbox {
  /** The worker of msw. `sandbox.worker.use(...)` adds handlers that take precedence. */
  readonly worker: SetupWorker
  readonly #session: Session | undefined
  #panel: Promise<PanelHandle | undefined> | undefined

  constructor({ core, session }: PageCore, interception: Interception, worker: SetupWorker) {
    super(core, interception)
    this.worker = worker
    this.#session = session
  }

  /** @internal Adds a panel to the page. A failure is reported and does not affect the sandbox. */
  openPanel(options: PanelOptions): void {
    this.#panel = loadPanel(this, options).catch((error) => {
      this.core.reportError(error)
      return undefined
    })
  }

  /** Restarts all worlds with the initial scenario and removes the stored ones. */
  forget(): void {
    this.reset()
    this.#session?.clear()
  }

  /** Stops intercepting requests. Stored worlds are restored on the next start. */
  async stop(): Promise<void> {
    await this.#panel?.then((panel) => panel?.close())
    await this.#session?.close()
    if (window.petstoreSandbox === this) delete window.petstoreSandbox
    await this.worker.stop()
  }
}

/** The part of a sandbox that all transports share, and what stores its worlds in this tab. */
interface PageCore {
  readonly core: Sandbox
  /** Undefined if nothing is stored. */
  readonly session: Session | undefined
}

/**
 * Starts a sandbox in this page with a platform. The service worker is started while the sandbox is
 * being created; requests that it intercepts until then wait.
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} If msw's worker script is missing.
 */
export async function startBrowserSandbox(
  options: BrowserSandboxOptions,
  platform: Platform,
): Promise<BrowserSandbox> {
  checkOptions(shape, options, 'startSandbox')
  const bases = readBaseUrls(options)
  // Begins when the worker is being started, because that takes longer and uses other processes.
  const creating = Promise.resolve().then(() => createPageCore(options, platform))
  const core = creating.then((created) => created.core)
  core.catch(() => {}) // Reported below.
  const interception = createInterception(core, bases, HttpHandler)
  const worker = setupWorker(...interception.handlers)
  const takeOver = Reflect.get(window, takeOverName)
  const intercepting = takeOver
    ? takeOver(Object.values(bases).map(({ text }) => text))
    : startWorker(worker, options)
  const [created, intercepted] = await Promise.allSettled([creating, intercepting])
  if (created.status === 'rejected') {
    if (!takeOver && intercepted.status === 'fulfilled') await worker.stop()
    throw created.reason
  }
  if (intercepted.status === 'rejected') {
    await created.value.core.close()
    throw intercepted.reason
  }
  const sandbox = new BrowserSandbox(created.value, interception, worker)
  if (options.expose) window.petstoreSandbox = sandbox
  const { panel } = options
  // The sandbox that has taken the place of this one is not in the page.
  if (panel && !takeOver) sandbox.openPanel(panel === true ? {} : panel)
  return sandbox
}

async function createPageCore(
  options: BrowserSandboxOptions,
  platform: Platform,
): Promise<PageCore> {
  const { scenarios = [], persist = true, storageKey = 'petstore-sandbox' } = options
  const library = new ScenarioLibrary(new SliceRunner(platform))
  library.replaceAdded(scenarios.map((file, at) => ({ file, source: `scenarios[${at}]` })))
  const scenario = readScenarioFromUrl(options) ?? options.scenario ?? 'default'
  const warn = (message: string) => platform.warn(message)
  const tab = persist ? await openTab(storageKey, library, scenario, warn) : undefined
  const coreOptions = { ...options, scenario, store: tab?.store }
  const core = await createCore(coreOptions, library, platform, { StoredWorlds })
  return { core, session: tab?.openSession(core) }
}

function readScenarioFromUrl({
  scenarioFromUrl = false,
}: BrowserSandboxOptions): string[] | undefined {
  if (scenarioFromUrl === false) return undefined
  const parameter = scenarioFromUrl === true ? 'scenario' : scenarioFromUrl
  const value = new URLSearchParams(location.search).get(parameter)
  // URLSearchParams decodes a plus sign to a space.
  return value ? value.split(/[ +]/) : undefined
}
