/** A value, or a promise of it. */
export type Pending<T> = T | Promise<T>

/** Calls a function with a value: at once, unless the value is a promise. */
export function chain<T, U>(value: Pending<T>, next: (value: T) => Pending<U>): Pending<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** A step that waits for its execution. */
export interface QueuedStep {
  /** Executes the step. Returns a function that settles the promise of the caller. */
  run(): Pending<() => void>
  /** Settles the promise of the caller, if the step cannot be stored. */
  reject(error: unknown): void
  /** Whether no other step may be stored in the same record. */
  readonly isAlone: boolean
}

/** Creates a step with the functions of a promise. */
export function createQueuedStep<Result>(
  step: () => Pending<Result>,
  isAlone: boolean,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): QueuedStep {
  const run = () => {
    try {
      const result = step()
      if (!(result instanceof Promise)) return () => resolve(result)
      return result.then(
        (value) => () => resolve(value),
        (error: unknown) => () => reject(error),
      )
    } catch (error) {
      return () => reject(error)
    }
  }
  return { run, reject, isAlone }
}

/** Executes steps one after the other. Returns the functions that settle the promises. */
export function runAll(steps: readonly QueuedStep[]): Pending<(() => void)[]> {
  const [first, ...others] = steps
  if (!first) return []
  return chain(first.run(), (settle) => chain(runAll(others), (settlers) => [settle, ...settlers]))
}
