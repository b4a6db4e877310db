/** An operation of a concurrent history, with the result that its client received. */
export interface Executed<Operation, Result> {
  readonly operation: Operation
  readonly result: Result
  /** When the client sent the request and received the response, on one clock. */
  readonly sentAt: number
  readonly receivedAt: number
}

/** A sequential implementation of what the history was executed on. */
export interface Model<State, Operation, Result> {
  readonly initial: State
  /** Returns the state after an operation; undefined if the operation would have another result. */
  apply(state: State, operation: Operation, result: Result): State | undefined
}

/**
 * Returns whether a history is linearizable: whether its operations, executed one at a time in some
 * order, return the same results. The order must contain an operation before each one that was sent
 * after its response.
 *
 * The algorithm of Wing and Gong (1993): an operation can be the next of the order if no other
 * remaining one received its response before this one was sent. Tries each of them, depth first. As
 * Lowe (2017) suggests, does not try the same set of remaining operations in the same state again.
 *
 * @param history At most 30 operations.
 */
export function isLinearizable<State, Operation, Result>(
  history: readonly Executed<Operation, Result>[],
  { initial, apply }: Model<State, Operation, Result>,
): boolean {
  const failed = new Set<string>()
  /** @param remaining One bit for each remaining operation. */
  const search = (remaining: number, state: State): boolean => {
    if (remaining === 0) return true
    const key = `${remaining} ${JSON.stringify(state)}`
    if (failed.has(key)) return false
    const left = history
      .map((executed, at) => ({ executed, bit: 1 << at }))
      .filter(({ bit }) => remaining & bit)
    const firstReceivedAt = Math.min(...left.map(({ executed }) => executed.receivedAt))
    for (const { executed, bit } of left) {
      if (executed.sentAt > firstReceivedAt) continue
      const next = apply(state, executed.operation, executed.result)
      if (next !== undefined && search(remaining & ~bit, next)) return true
    }
    failed.add(key)
    return false
  }
  return search(2 ** history.length - 1, initial)
}
