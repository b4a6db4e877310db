/** The runtime functions that a sandbox uses. */
export interface Platform {
  /** Returns the real time in milliseconds since the epoch. */
  now(): number
  /** Returns milliseconds of a monotonic clock. */
  monotonic(): number
  /** Resolves after this many real milliseconds, or when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns a random string of letters and digits with at least 128 bits of entropy. */
  randomLabel(): string
  /** Name of the process in ids of requests that are in no journal. Default: `local`. */
  readonly instance?: string
  /** Reports a problem that does not stop the sandbox. */
  warn(message: string): void
  /** Reports a bug in the sandbox or an error of a listener. */
  reportError(error: unknown): void
}

/** Platform of Node.js and browsers. No other code reads the real time. */
export const platform: Platform = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal?.addEventListener('abort', wake)
    }),
  // `randomUUID` is missing in jsdom 20, and in pages that are not secure contexts.
  randomLabel: () => {
    const bytes = crypto.getRandomValues(new Uint8Array(20))
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  },
  warn: (message) => console.warn(`petstore-sandbox: ${message}`),
  reportError: (error) => console.error('petstore-sandbox: error:', error),
}
