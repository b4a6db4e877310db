import { startImmediate, startTimer } from '../service/timers.js'

/** The runtime functions that a sandbox uses. */
export interface Platform {
  /** Returns the real time in milliseconds since the epoch. */
  now(): number
  /** Returns milliseconds of a monotonic clock. */
  monotonic(): number
  /** Resolves after this many real milliseconds, or when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Resolves after the event loop has processed the events that are due. */
  yieldToEventLoop(): Promise<void>
  /** Returns a random string of letters and digits with at least 128 bits of entropy. */
  randomLabel(): string
  /** Name of the process in ids of requests that no journal has. Default: `local`. */
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
  yieldToEventLoop,
  // `randomUUID` is missing in jsdom 20, and in pages that are not secure contexts.
  randomLabel: () => toHex(crypto.getRandomValues(new Uint8Array(20))),
  warn: (message) => console.warn(`petstore-sandbox: ${message}`),
  reportError: (error) => console.error('petstore-sandbox: error:', error),
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The original class. Test runners replace the global one with a fake. */
const { MessageChannel: Channel } = globalThis

/**
 * Uses `setImmediate` where it exists. Elsewhere a message, because browsers delay repeated timers by
 * 4 ms, and by 1 s in hidden pages.
 */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof startImmediate === 'function') {
      startImmediate(resolve)
      return
    }
    // jsdom has neither.
    if (typeof Channel !== 'function') {
      startTimer(resolve, 0)
      return
    }
    const { port1, port2 } = new Channel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
