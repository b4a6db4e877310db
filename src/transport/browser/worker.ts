import type { SetupWorker } from 'msw/browser'
import { startTimer } from '../../service/timers.js'

/** Options of msw's worker. */
export interface WorkerOptions {
  /**
   * Intercepts requests with a service worker. If false, msw replaces `fetch` and `XMLHttpRequest` of
   * this page instead, which needs no worker script and no secure context. Default: true.
   */
  readonly worker?: boolean | undefined
  /** Handling of requests that are not for the sandbox. Default: `bypass`. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined
  /** Disables msw's log of requests in the browser's console. Default: false. */
  readonly quiet?: boolean | undefined
  /**
   * URL and registration options of the worker script. Default URL: `mockServiceWorker.js` below the
   * base path of the application, which is `base` of Vite, or else the `<base>` element of the page,
   * or else `/`.
   */
  readonly serviceWorker?:
    | { readonly url?: string | undefined; readonly options?: RegistrationOptions | undefined }
    | undefined
}

/**
 * Name of the function in a page with which the Playwright fixture of a test replaces the sandbox of
 * the page. Its arguments are the base URLs of the page, and the scenarios in its URL. It rejects if
 * the fixture does not respond to the base URLs, or a scenario is unknown.
 */
export const takeOverName = '__petstoreSandboxTakeOver'

/** Time within which a worker must respond that it intercepts, in milliseconds. */
const responseTimeoutMs = 10_000

/** A started worker. */
export interface StartedWorker {
  /** URL of its script. */
  readonly url: string
  /** Version of msw of the script, if it differs from the version of the page. */
  readonly outdated: string | undefined
}

/**
 * Starts msw's worker, or lets msw replace `fetch` and `XMLHttpRequest`.
 *
 * @throws {Error} If the worker script is missing, blocked or does not respond. The message states its
 * URL and the next step.
 */
export async function startWorker(
  worker: SetupWorker,
  options: WorkerOptions,
): Promise<StartedWorker> {
  const { onUnhandledRequest = 'bypass', quiet = false, serviceWorker } = options
  const url = new URL(serviceWorker?.url ?? findDefaultUrl(), location.href).href
  const startOptions = {
    onUnhandledRequest,
    // Name of the same option in msw 3.
    onUnhandledFrame: onUnhandledRequest,
    quiet,
    serviceWorker: { url, ...(serviceWorker?.options && { options: serviceWorker.options }) },
  }
  if (options.worker === false) {
    await withoutServiceWorkers(() => worker.start(startOptions))
    return { url, outdated: undefined }
  }
  const stopObserving = observeVersion()
  // msw waits forever for a script that does not respond.
  const timeout = new Promise<never>((_, reject) => {
    startTimer(() => reject(new DOMException('', 'TimeoutError')), responseTimeoutMs)
  })
  try {
    const registration = await Promise.race([worker.start(startOptions), timeout])
    if (registration && !isControlled(registration)) await reload()
    return { url, outdated: stopObserving() }
  } catch (error) {
    stopObserving()
    const loaded = await import('./worker-failure.js')
    throw await loaded.explainFailure(error, url)
  }
}

/**
 * Whether the worker intercepts the requests of this page. The browser keeps a worker that another tab
 * has stopped until that tab is closed, and such a worker does not control pages that register it.
 */
function isControlled({ scope }: ServiceWorkerRegistration): boolean {
  return navigator.serviceWorker.controller !== null || !location.href.startsWith(scope)
}

/** Reloads the page, which the worker then controls. */
function reload(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

/**
 * Calls a function in a page that seems to have no service workers. msw then replaces `fetch` and
 * `XMLHttpRequest`, which it has no option for.
 */
function withoutServiceWorkers<T>(action: () => T): T {
  const { prototype } = Navigator
  const property = Object.getOwnPropertyDescriptor(prototype, 'serviceWorker')
  Reflect.deleteProperty(prototype, 'serviceWorker')
  try {
    return action()
  } finally {
    if (property) Object.defineProperty(prototype, 'serviceWorker', property)
  }
}

/** Returns the default URL of the worker script, below the base path of the application. */
function findDefaultUrl(): string {
  // Vite replaces the expression in the modules of dependencies, too. Without Vite, it is undefined.
  const bundlerBase = (import.meta as { readonly env?: { readonly BASE_URL?: string } }).env
    ?.BASE_URL
  const base = bundlerBase ?? (document.querySelector('base[href]') ? '.' : '/')
  return new URL('mockServiceWorker.js', new URL(base, document.baseURI)).href
}

/**
 * Observes whether msw warns in the console that the script is from another version of msw, because msw
 * does not report this otherwise. Returns a function that stops it and returns this version.
 */
function observeVersion(): () => string | undefined {
  const { console } = globalThis
  const { warn } = console
  let version: string | undefined
  console.warn = (...args) => {
    version ??= /different version of MSW \(([^)]*)/.exec(args[0])?.[1]
    warn.apply(console, args)
  }
  return () => {
    console.warn = warn
    return version
  }
}
