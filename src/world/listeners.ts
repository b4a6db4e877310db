/** Calls each listener. An error that one throws is reported and does not reach the others. */
export function notifyListeners<Args extends readonly unknown[]>(
  listeners: Iterable<(...args: Args) => void>,
  reportError: (error: unknown) => void,
  ...args: Args
): void {
  for (const listener of listeners) {
    try {
      listener(...args)
    } catch (cause) {
      reportError(new Error('a listener of the sandbox threw an error', { cause }))
    }
  }
}
