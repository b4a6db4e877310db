/** The advice to update the worker script. */
export const updateAdvice =
  'Run "npx msw init public --save", where public is the folder of static files, and reload.'

/**
 * Returns an error that states why the worker could not be started, and the next step.
 *
 * @param cause The error of msw or of the browser.
 * @param url URL of the worker script.
 */
export async function explainFailure(cause: unknown, url: string): Promise<Error> {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error((await diagnose(cause, message, url)).join('\n'), { cause })
}

async function diagnose(cause: unknown, message: string, url: string): Promise<string[]> {
  if (/content security policy/i.test(message)) {
    return [
      `msw's worker script is blocked: the Content Security Policy of this page does not allow ${url}.`,
      "Allow it in development: worker-src 'self'.",
    ]
  }
  const found = await describeWrongResponse(url)
  if (found !== undefined) {
    return [
      `msw's worker script is missing: ${url} ${found}.`,
      updateAdvice,
      "If the script has another URL, pass it: startSandbox({ serviceWorker: { url: '/…' } }).",
    ]
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    const failure = 'does not respond: it is outdated, or not a worker of msw.'
    return [`The worker script ${url} ${failure}`, updateAdvice]
  }
  return [
    `The browser could not start the worker script ${url}. Its settings, or a private window, may prevent that.`,
    'A sandbox that needs no worker script: startSandbox({ worker: false }).',
    message,
  ]
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
