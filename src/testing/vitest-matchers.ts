import {
  type MatcherOutcome,
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedNothingUnmatched,
} from './matchers.js'

/** `this` of a matcher in vitest. The task is set during a test and its hooks. */
interface MatcherState {
  readonly task?:
    | { readonly context: { onTestFinished(listener: () => Promise<void>): void } }
    | undefined
}

/** The matchers for the `expect` of vitest. */
export const matchers = {
  toHaveReceived: withAwait('toHaveReceived', toHaveReceived),
  toHaveReceivedInOrder: withAwait('toHaveReceivedInOrder', toHaveReceivedInOrder),
  toHaveReceivedNothingUnmatched: withAwait(
    'toHaveReceivedNothingUnmatched',
    toHaveReceivedNothingUnmatched,
  ),
}

/** Fails a test that ends before the promise of a matcher, which vitest would not detect. */
function withAwait<Args extends unknown[]>(
  name: string,
  matcher: (received: unknown, ...args: Args) => MatcherOutcome,
) {
  return function (this: MatcherState, received: unknown, ...args: Args): MatcherOutcome {
    const outcome = matcher(received, ...args)
    if (outcome instanceof Promise) requireAwait(name, outcome, this.task)
    return outcome
  }
}

function requireAwait(name: string, outcome: Promise<unknown>, task: MatcherState['task']): void {
  // Created here, so that its stack trace contains the caller.
  const error = new Error(
    `the test ended before ${name} of a remote world: await expect(…).${name}(…)`,
  )
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  const settling = outcome.then(settle, settle)
  try {
    task?.context.onTestFinished(async () => {
      if (isSettled) return
      await settling
      throw error
    })
  } catch {
    // The test has ended: vitest runs its last hooks.
  }
}
