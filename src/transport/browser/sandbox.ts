import { HttpHandler } from 'msw'
import { type SetupWorker, setupWorker } from 'msw/browser'
import * as z from 'zod/mini'
import { StoredWorlds } from '../../engine/persistence/stored-worlds.js'
import { platform } from '../../engine/platform.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { truncate } from '../../service/validation/message.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import type { ScenarioInput, ScenarioSource } from '../../world/scenario/source.js'
import { type BaseUrls, readBaseUrls } from '../in-process/base-urls.js'
import { createHandlers, type OperationHandler } from '../in-process/handlers.js'
import {
  checkOptions,
  nonEmptyString,
  type SandboxOptions,
  sandboxShape,
  toOptionsSchema,
} from '../in-process/options.js'
import { createCore, InProcessSandbox } from '../in-process/sandbox.js'
import type { ReportRejection } from './ban-warnings.js'
import {
  type PanelHandle,
  type PanelOptions,
  type PanelPosition,
  positions,
  readPanelOptions,
} from './panel-options.js'
import { readNewlyNamed, ScenarioChoice } from './scenario-choice.js'
import { clearTabStore, openTabStore, saveOnLeave } from './session.js'
import { type StartedWorker, startWorker, takeOverName, type WorkerOptions } from './worker.js'

/** Options of a sandbox in a page. */
export interface BrowserSandboxOptions extends SandboxOptions, WorkerOptions {
  /** Scenarios that are available by name, in addition to the built-in ones. */
  readonly scenarios?: readonly ScenarioInput[] | undefined
  /**
   * Reads the scenario from the URL of the page: `?scenario=low-stock`, several joined with `+`. A
   * string is the name of the parameter. The scenario stays active in this tab, also on pages without
   * the parameter, until the URL or `use` selects another one. An empty parameter selects the option
   * `scenario`. Default: false.
   */
  readonly scenarioFromUrl?: boolean | string | undefined
  /** Retains all worlds when the page is reloaded, in this tab only. Default: true. */
  readonly persist?: boolean | undefined
  /** Prefix of the keys in session storage. Default: `petstore-sandbox`. */
  readonly storageKey?: string | undefined
  /**
   * Shows above the page why a sandbox could not be started, and notes about a ban or an outdated
   * worker script. A string is the corner of the notes in a page without a panel; otherwise they are
   * beside the button of the panel. Default: true, which is `bottom-left`.
   */
  readonly overlay?: boolean | PanelPosition | undefined
  /** Sets `window.petstoreSandbox`, for use in the developer tools. Default: false. */
  readonly expose?: boolean | undefined
  /**
   * Adds a panel to the page that shows and controls a world. An object sets its options. The code is
   * loaded on demand. Default: false.
   */
  readonly panel?: boolean | PanelOptions | undefined
}

const boolean = z.boolean('true or false')

const optionsSchema = toOptionsSchema({
  ...sandboxShape,
  scenarios: z.array(z.unknown(), 'an array of scenarios'),
  scenarioFromUrl: z.union([boolean, nonEmptyString], 'true, false or the name of a parameter'),
  persist: boolean,
  storageKey: nonEmptyString,
  overlay: z.union([boolean, z.enum(positions)], `true, false, ${positions.join(', ')}`),
  expose: boolean,
  panel: z.union([boolean, z.looseObject({})], 'true, false or the options of a panel'),
  onUnhandledRequest: z.enum(['bypass', 'warn', 'error'], '"bypass", "warn" or "error"'),
  quiet: boolean,
  worker: boolean,
  serviceWorker: z.partial(z.strictObject({ url: nonEmptyString, options: z.looseObject({}) })),
} satisfies Record<keyof BrowserSandboxOptions, unknown>)

/** A sandbox in a page. msw's service worker intercepts the requests to it. */
export class BrowserSandbox extends InProcessSandbox {
  #panel: Promise<PanelHandle | undefined> | undefined
  readonly #stopSaving: (() => void) | undefined

  /** @internal */
  constructor(
    core: Sandbox,
    bases: BaseUrls,
    handlers: OperationHandler[],
    /** The worker of msw. `sandbox.worker.use(...)` adds handlers that take precedence. */
    readonly worker: SetupWorker,
    /** @internal The scenario of this tab. */
    readonly choice: ScenarioChoice,
  ) {
    super(core, bases, handlers)
    if (core.settings.store) this.#stopSaving = saveOnLeave(core)
  }

  /** @internal */
  override async start(scenario: ScenarioSource): Promise<void> {
    await super.start(scenario)
    // A stored world has its scenario.
    if (this.#stopSaving) this.choice.rememberUsed([scenario].flat())
    else this.choice.remember([scenario].flat())
  }

  /** @internal Closes the panel with the sandbox. A failure is reported and does not affect the sandbox. */
  adoptPanel(panel: Promise<PanelHandle>): void {
    this.#panel = panel.catch((error) => {
      this.core.settings.platform.reportError(error)
      return undefined
    })
  }

  /** Restarts all worlds with the initial scenario and removes the stored ones. */
  forget(): void {
    this.reset()
    if (this.#stopSaving) clearTabStore(this.choice.storageKey)
    this.choice.forget()
  }

  /** Stops intercepting requests. Stored worlds are restored on the next start. */
  async stop(): Promise<void> {
    await this.#panel?.then((panel) => panel?.close())
    this.#stopSaving?.()
    await this.core.close()
    if (window.petstoreSandbox === this) delete window.petstoreSandbox
    await this.worker.stop()
    Reflect.deleteProperty(globalThis, runningName)
  }
}

/** Name of the property of a page in which a sandbox is starting or running. */
const runningName = '__petstoreSandboxRunning'

/**
 * Loads the code of the panel, which other pages do not need, and adds the panel to the page.
 * `parameter` is the parameter of the page's URL that names the scenario.
 */
export type LoadPanel = (
  sandbox: InProcessSandbox,
  options: PanelOptions,
  parameter: string | undefined,
) => Promise<PanelHandle>

/**
 * Starts a sandbox in this page. The service worker is started when the sandbox has been created.
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} If a sandbox is running in this page, or msw's worker cannot be started.
 */
export async function startBrowserSandbox(
  options: BrowserSandboxOptions,
  loadPanel: LoadPanel,
): Promise<BrowserSandbox> {
  const library = new ScenarioLibrary()
  try {
    checkOptions(optionsSchema, options, 'startSandbox')
    const panel = options.panel === true ? {} : options.panel
    if (panel) readPanelOptions(panel, 'the panel')
    const { sandbox, started } = await startOnce(() => start(options, library))
    if (options.expose) window.petstoreSandbox = sandbox
    watchBans(sandbox, options)
    // A sandbox that a test has replaced receives no requests.
    if (panel && started) {
      sandbox.adoptPanel(loadPanel(sandbox, panel, toParameter(options.scenarioFromUrl)))
    }
    if (started?.outdated !== undefined && options.overlay !== false) {
      void import('./overlay.js').then((module) => module.showOutdated(started, options.overlay))
    }
    return sandbox
  } catch (error) {
    const { overlay, scenarioFromUrl } = options ?? {}
    if (overlay !== false && typeof document === 'object') {
      const parameter = toParameter(scenarioFromUrl)
      void import('./overlay.js').then((module) => module.showFailure(error, library, parameter))
    }
    throw error
  }
}

/**
 * Calls a function that starts a sandbox, unless a sandbox is starting or running in this page. Only
 * the first sandbox would receive requests.
 */
async function startOnce<T>(action: () => Promise<T>): Promise<T> {
  if (Reflect.has(globalThis, runningName)) {
    const advice = 'use the one that startSandbox has returned, call its stop(), or reload the page'
    throw new Error(`a sandbox is running in this page already; ${advice}`)
  }
  Reflect.set(globalThis, runningName, true)
  try {
    return await action()
  } catch (error) {
    Reflect.deleteProperty(globalThis, runningName)
    throw error
  }
}

/** Returns the sandbox, and its worker unless a test has replaced the sandbox. */
async function start(options: BrowserSandboxOptions, library: ScenarioLibrary) {
  const bases = readBaseUrls(options)
  // A worker that is started and stopped again would affect other tabs.
  const { core, choice } = await createPageCore(options, library)
  const handlers = createHandlers(core, bases, HttpHandler)
  try {
    const { worker, started } = await intercept(handlers, bases, options)
    return { sandbox: new BrowserSandbox(core, bases, handlers, worker, choice), started }
  } catch (error) {
    await core.close()
    throw error
  }
}

/** Starts to intercept requests, unless the Playwright fixture of a test does. */
async function intercept(
  handlers: OperationHandler[],
  bases: BaseUrls,
  options: BrowserSandboxOptions,
): Promise<{ readonly worker: SetupWorker; readonly started: StartedWorker | undefined }> {
  const worker = setupWorker(...handlers)
  worker.events.on('request:unhandled', ({ request: { method, url, headers } }) => {
    if (!headers.get('Authorization')?.startsWith('Bearer sbx_')) return
    platform.warn(
      `${method} ${truncate(url)} goes to the network, although it carries a key of the sandbox. ` +
        `The sandbox intercepts requests to ${bases.api.text}; its option baseUrl sets another URL.`,
    )
  })
  const takeOver = Reflect.get(window, takeOverName)
  if (!takeOver) return { worker, started: await startWorker(worker, options) }
  const texts = Object.values(bases).map(({ text }) => text)
  await takeOver(texts, readNewlyNamed(toParameter(options.scenarioFromUrl)))
  if (options.panel) {
    platform.warn('the sandbox of a Playwright test takes the place of this one: it has no panel')
  }
  return { worker, started: undefined }
}

/** Creates the core of a sandbox with the scenario and the stored worlds of this tab. */
async function createPageCore(options: BrowserSandboxOptions, library: ScenarioLibrary) {
  const { scenarios = [], persist = true, storageKey = 'petstore-sandbox' } = options
  library.replaceAdded(scenarios.map((file, at) => ({ file, source: `scenarios[${at}]` })))
  const parameter = toParameter(options.scenarioFromUrl)
  const choice = new ScenarioChoice(parameter, storageKey, library)
  const scenario = choice.names ?? options.scenario ?? 'default'
  const store = persist ? await openTabStore(storageKey, library, scenario) : undefined
  const coreOptions = { ...options, scenario, store }
  const core = await createCore(coreOptions, library, platform, { StoredWorlds })
  choice.apply(core)
  return { core, choice }
}

/** Returns the name of the parameter in the URL of the page that names the scenario. */
function toParameter(option: BrowserSandboxOptions['scenarioFromUrl']): string | undefined {
  return option === true ? 'scenario' : option || undefined
}

/** Warns before a client of the page is banned, and when the ban begins. */
function watchBans(sandbox: BrowserSandbox, { overlay, panel }: BrowserSandboxOptions): void {
  let warnings: Promise<ReportRejection> | undefined
  sandbox.core.requests.add((entry, world, holder) => {
    if (entry.status !== 429 || holder === undefined) return
    warnings ??= import('./ban-warnings.js').then((module) =>
      module.createBanWarnings(sandbox, overlay, panel),
    )
    warnings
      .then((report) => report(entry, world, holder.accountId))
      .catch((error) => sandbox.core.settings.platform.reportError(error))
  })
}
