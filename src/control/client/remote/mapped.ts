/**
 * Some members of an object in this process, as a remote handle has them: methods with the same
 * parameters that return promises, and properties that are promises.
 */
export type Remote<T, Name extends keyof T> = {
  readonly [Member in Name]: T[Member] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Promise<T[Member]>
}
