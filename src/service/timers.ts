/**
 * Returns the original of a timer function, although test runners may have replaced the global one by
 * a fake. Node.js has it in a module. Fakes of @sinonjs/fake-timers, which vitest, Jest and sinon use,
 * have it in their clock.
 */
function findOriginal<Name extends 'setTimeout' | 'clearTimeout' | 'setImmediate'>(
  name: Name,
): (typeof globalThis)[Name] {
  // Browsers have no process.
  const timers = globalThis.process?.getBuiltinModule?.('timers') ?? globalThis
  const found = timers[name] as (typeof globalThis)[Name] & { clock?: Record<string, typeof found> } // of a fake
  return found?.clock?.[`_${name}`] ?? found
}

export const startTimer = findOriginal('setTimeout')
export const stopTimer = findOriginal('clearTimeout')
/** Undefined in browsers. */
export const startImmediate = findOriginal('setImmediate')

/** Largest delay of a timer, in milliseconds. A timer with a longer delay fires immediately. */
export const maximumDelayMs = 2_147_483_647

/** Resolves after some turns of the event loop. */
export async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => {
      if (startImmediate) startImmediate(resolve)
      else startTimer(resolve, 0)
    })
  }
}
