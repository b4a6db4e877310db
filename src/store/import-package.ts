import { readErrorField } from '../service/validation/message.js'
import { StoreError } from './store.js'

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
