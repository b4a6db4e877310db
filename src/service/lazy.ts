/** A value that is created on first use, by calling this function. */
export type Lazy<T> = () => T

/**
 * Returns a function that creates a value on its first call, and returns the same value from then
 * on. All schemas are created in this way: creating them takes a large part of the start-up time,
 * and most processes and pages use few of them.
 */
export function lazy<T>(create: () => T): Lazy<T> {
  let created: { readonly value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}
