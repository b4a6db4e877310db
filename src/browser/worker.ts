import type { SetupWorker } from 'msw/browser'

/** Options of msw's worker. */
export interface WorkerOptions {
  /** Handling of requests that are not for the sandbox. Default: `bypass`. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined
  /** Disables msw's log of requests in the browser's console. Default: false. */
  readonly quiet?: boolean | undefined
  /** URL and registration options of the worker script. Default URL: `/mockServiceWorker.js`. */
  readonly serviceWorker?:
    | { readonly url?: string | undefined; readonly options?: RegistrationOptions | undefined }
    | undefined
}

/**
 * Name of the function in a page by which the Playwright fixture of its test takes the place of the
 * sandbox of the page. Takes the base URLs of the page, and rejects if it does not respond to them.
 */
export const takeOverName = '__petstoreSandboxTakeOver'

/**
 * Starts msw's worker.
 *
 * @throws {Error} If the worker script is missing. The message has its URL and the command to run.
 */
export async function startWorker(
  worker: SetupWorker,
  { onUnhandledRequest = 'bypass', quiet = false, serviceWorker }: WorkerOptions,
): Promise<void> {
  const { url = '/mockServiceWorker.js', options } = serviceWorker ?? {}
  const startOptions = {
    onUnhandledRequest,
    // Name of the same option in msw 3.
    onUnhandledFrame: onUnhandledRequest,
    quiet,
    serviceWorker: { url, ...(options && { options }) },
  }
  try {
    await worker.start(startOptions)
  } catch (error) {
    throw await explain(error, new URL(url, location.href).href)
  }
}

async function explain(error: unknown, url: string): Promise<unknown> {
  const found = await describeWrongResponse(url)
  if (found === undefined) return error
  const message = [
    `msw's worker script is missing: ${url} ${found}.`,
    'Run "npx msw init public --save", where public is the folder of static files, and reload.',
    "If the script has another URL, pass it: startSandbox({ serviceWorker: { url: '/…' } }).",
  ]
  return new Error(message.join('\n'), { cause: error })
}

/** Describes a response that is not a script: `responds with 404`. Undefined for a script. */
async function describeWrongResponse(url: string): Promise<string | undefined> {
  try {
    const { ok, status, headers } = await fetch(url)
    if (!ok) return `responds with ${status}`
    const type = headers.get('Content-Type') ?? 'no type'
    // A development server may respond with its start page to unknown paths.
    return /javascript|ecmascript/.test(type) ? undefined : `responds with ${type}, not a script`
  } catch {
    return 'does not respond'
  }
}
