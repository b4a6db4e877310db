/** The time that the client uses. Tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after a time in milliseconds. Rejects with the reason of the signal if it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}
