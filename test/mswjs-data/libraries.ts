import { createRequire } from 'node:module'
import * as bundle from '@mswjs/data'

export type Library = typeof bundle

/** The installed @mswjs/data. The configuration of the tests replaces only its imports. */
export const original: Library = createRequire(import.meta.url)('@mswjs/data')

/** The bundle that the package contains, and the library from which it is built. */
export const libraries = [
  { name: 'the bundle', library: bundle },
  { name: 'the original', library: original },
]

/** The internal database of the library, which src/world/database/rows.ts uses. */
export interface InternalDatabase {
  readonly events: { on(name: string, listener: (...values: unknown[]) => void): void }
  getModel(name: string): Map<string, object>
  create(name: string, entity: object): unknown
  update(name: string, replaced: object, entity: object): void
  delete(name: string, id: string): void
}

export function findInternalDatabase(models: object): InternalDatabase {
  const symbols = Object.getOwnPropertySymbols(models)
  const symbol = symbols.find(({ description }) => description === 'databaseInstance')
  if (symbol) return Reflect.get(models, symbol)
  throw new Error('The library has no symbol databaseInstance')
}
