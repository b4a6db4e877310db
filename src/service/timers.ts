/**
 * The original timer functions. Test runners replace the global ones with fakes. Browsers and jsdom
 * have no `setImmediate`.
 */
export const {
  setTimeout: startTimer,
  clearTimeout: stopTimer,
  setImmediate: startImmediate,
} = globalThis

/** Largest delay of a timer, in milliseconds. A timer with a longer delay fires immediately. */
export const maximumDelayMs = 2_147_483_647
