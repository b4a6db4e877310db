/**
 * Returns the original timer function, although test runners may have replaced the global one with a
 * fake. Node.js exports the original from a module. Fakes of @sinonjs/fake-timers, which vitest, Jest
 * and sinon use, keep it in their clock.
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

/** The original class. Test runners replace the global one with a fake. */
const Channel = globalThis.MessageChannel

/**
 * Resolves in the next turn of the event loop. Without `setImmediate`, waits for a message: browsers
 * delay repeated timers by 4 ms, and by 1 s in hidden pages.
 */
export function passTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof startImmediate === 'function') startImmediate(resolve)
    // jsdom has neither.
    else if (typeof Channel !== 'function') startTimer(resolve, 0)
    else {
      const { port1, port2 } = new Channel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    }
  })
}

/** Resolves after some turns of the event loop. */
export async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await passTurn()
}
