/** The original timer functions. Test runners replace the global ones with fakes. */
export const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** Resolves after a real time in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => startTimer(resolve, ms))
}
