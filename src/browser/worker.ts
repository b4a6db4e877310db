import type { SetupWorker } from 'msw/browser'

/** What a page may say about msw's worker. */
export interface WorkerOptions {
  /** What happens to requests that are not for the sandbox. Default: `bypass`, without a word. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
  /** Whether msw keeps its requests out of the browser's console. Default: false. */
  readonly quiet?: boolean
  /** Where the worker script is, and how it is registered. Default: `/mockServiceWorker.js`. */
  readonly serviceWorker?: { readonly url?: string; readonly options?: RegistrationOptions }
}

/**
 * Starts msw's worker.
 *
 * @throws {Error} When there is no worker script: says where it was looked for and what to run.
 */
export async function startWorker(worker: SetupWorker, options: WorkerOptions): Promise<void> {
  const { onUnhandledRequest = 'bypass', quiet = false, serviceWorker } = options
  const { url = '/mockServiceWorker.js' } = serviceWorker ?? {}
  const startOptions = {
    onUnhandledRequest,
    // The name of the same option in msw 3.
    onUnhandledFrame: onUnhandledRequest,
    quiet,
    serviceWorker: { ...serviceWorker, url },
  }
  try {
    await worker.start(startOptions)
  } catch (error) {
    throw await explain(error, new URL(url, location.href).href)
  }
}

async function explain(error: unknown, url: string): Promise<unknown> {
  const found = await findWhatIsWrong(url)
  if (found === undefined) return error
  const message = [
    `msw's worker script is missing: ${url} ${found}.`,
    'Run "npx msw init public --save" (public is the folder that is served as it is) and reload.',
    "If the script is elsewhere, say so: startSandbox({ serviceWorker: { url: '/…' } }).",
  ]
  return new Error(message.join('\n'), { cause: error })
}

/** What stands where the script should be; undefined when it is a script. */
async function findWhatIsWrong(url: string): Promise<string | undefined> {
  try {
    const { ok, status, headers } = await fetch(url)
    if (!ok) return `answers ${status}`
    const type = headers.get('Content-Type') ?? 'no type'
    // A development server answers with its start page what it does not have.
    return /javascript|ecmascript/.test(type) ? undefined : `answers with ${type}, not a script`
  } catch {
    return 'does not answer'
  }
}
