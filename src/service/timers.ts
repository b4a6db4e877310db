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

/** Resolves after some turns of the event loop. */
export async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => {
      // Browsers and jsdom have no `setImmediate`.
      if (startImmediate) startImmediate(resolve)
      else startTimer(resolve, 0)
    })
  }
}
