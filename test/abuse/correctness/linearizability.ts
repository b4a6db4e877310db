/** The quantities of a few pets, in a fixed order. */
export type State = readonly number[]

/** An operation of a history, with the times of its request and response. */
export interface HistoryEntry {
  readonly startMs: number
  readonly endMs: number
  readonly operation:
    | { readonly type: 'write'; readonly pet: number; readonly value: number }
    /** `found` is the state in the response. */
    | { readonly type: 'read'; readonly found: State }
    | { readonly type: 'reset' }
}

/**
 * Whether a history is linearizable: the operations can be put into an order in which each takes
 * effect between its request and its response, and each read returns what was written before it.
 *
 * The algorithm of Wing and Gong: tries every operation that can be the next one, and remembers which
 * sets of operations and states have failed (Lowe).
 *
 * @param initial State before the history, which a reset restores.
 */
export function isLinearizable(history: readonly HistoryEntry[], initial: State): boolean {
  const failed = new Set<string>()
  const all = 2n ** BigInt(history.length) - 1n
  return search(0n, initial)

  function search(done: bigint, state: State): boolean {
    if (done === all) return true
    const key = `${done} ${state}`
    if (failed.has(key)) return false
    const left = history.map((entry, index) => ({ entry, bit: 1n << BigInt(index) }))
    const pending = left.filter(({ bit }) => (done & bit) === 0n)
    // An operation cannot come before one that has ended before it began.
    const firstEndMs = Math.min(...pending.map(({ entry }) => entry.endMs))
    for (const { entry, bit } of pending) {
      if (entry.startMs > firstEndMs) continue
      const next = apply(entry, state, initial)
      if (next && search(done | bit, next)) return true
    }
    failed.add(key)
    return false
  }
}

/** Returns the state after an operation; undefined if the operation returned another state. */
function apply({ operation }: HistoryEntry, state: State, initial: State): State | undefined {
  if (operation.type === 'reset') return initial
  if (operation.type === 'write') return state.with(operation.pet, operation.value)
  return operation.found.every((value, pet) => value === state[pet]) ? state : undefined
}
