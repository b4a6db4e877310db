import { suggestName } from './nearest-name.js'
import { describeValue } from './validate.js'

/**
 * Refuses an object with a field that nobody reads: a misspelt one would narrow nothing down.
 *
 * @throws {TypeError}
 */
export function refuseUnknownFields(given: object, known: readonly string[], what: string): void {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be an object, found ${describeValue(given)}`)
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw new TypeError(`${what} has no field ${JSON.stringify(name)}${suggestName(name, known)}`)
  }
}

/** @throws {TypeError} When the count is no whole number, or less than the least. */
export function refuseBadCount(name: string, count: unknown, least: number): void {
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= least) return
  throw new TypeError(`${name} must be an integer from ${least}, found ${describeValue(count)}`)
}
