import { readErrorField } from '../service/validation/message.js'
import { StoreError } from './store.js'

/** Version of the layout of a directory and of Redis. Increment it when the layout changes. */
export const format = '2'

/**
 * Checks the format of stored data.
 *
 * @throws {StoreError} If another version of this package has stored it.
 */
export function checkFormat(location: string, found: string): void {
  if (found === format) return
  const problem = `${location} has the format ${found.slice(0, 100)}, this version of petstore-sandbox reads format ${format}`
  if (found !== '1') throw new StoreError(problem)
  const advice =
    'serve it with petstore-sandbox@1, save its worlds with "petstore-sandbox@1 world snapshot", and start them from the snapshots'
  throw new StoreError(`${problem}; ${advice}`)
}

/**
 * Loads an optional package on first use.
 *
 * @throws {StoreError} If the package is not installed.
 */
export async function importPackage<T>(
  kind: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const code = readErrorField(error, 'code')
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    throw new StoreError(`the ${kind} store needs the package ${name}: npm install ${name}`)
  }
}

/** Returns the reason of an error of a store in one line. */
export function toReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const [first] = error instanceof AggregateError ? error.errors : [cause]
  if (first !== undefined) return toReason(first)
  const message = readErrorField(error, 'message') || readErrorField(error, 'code')
  return (message ?? String(error)).replaceAll('\n', ' ')
}
