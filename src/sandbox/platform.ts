import type { Platform } from './sandbox.js'

/** The runtime that Node and browsers share: the one place that reads the real time. */
export const platform: Platform = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  // A UUID has 122 random bits; two of them are more than enough.
  randomLabel: () =>
    `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '').slice(0, 40),
  warn: (message) => console.warn(`petstore-sandbox: ${message}`),
  reportError: (error) => console.error('petstore-sandbox: a defect of the sandbox:', error),
}
