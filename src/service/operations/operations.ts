import { type AddressId, addresses } from '../addresses.js'
import { findNearestName } from '../validation/nearest-name.js'
import type { Operation } from './operation.js'
import * as table from './table.js'

/** Name of an operation of the service, such as `listInventory`. */
export type OperationId = keyof typeof table

/** Every operation of the service by its id. */
export const operations: Readonly<Record<OperationId, Operation>> = table

/** Ids of the operations, in the order of the specification. */
export const operationIds = (Object.keys(table) as OperationId[]) // the keys of a const table
  .sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1))

function toSortKey(id: OperationId): string {
  return `${operations[id].section} ${id}`
}

const maximumPath = 200

/**
 * Returns the operation that is most similar to a method and path; undefined if none is similar, or
 * the path is longer than 200 characters.
 */
export function findNearestOperation(method: string, path: string): OperationId | undefined {
  if (path.length > maximumPath) return undefined
  const normalized = path
    .replace(/\/+$/, '')
    .toLowerCase()
    .replace(/\/-?\d+/g, '/{}')
  const candidates = new Map<string, OperationId>()
  // With the method of the request, a candidate also matches if only the method is wrong.
  for (const wanted of [undefined, method]) {
    for (const id of operationIds) {
      const template = operations[id].path.replace(/\{\w+\}/g, '{}')
      const candidate = `${wanted ?? operations[id].method} ${template}`
      if (!candidates.has(candidate)) candidates.set(candidate, id)
    }
  }
  const nearest = findNearestName(`${method} ${normalized}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}

/** Returns the end of a message about an unknown path; empty if no operation is similar. */
export function suggestOperation(method: string, path: string, address: AddressId): string {
  const nearest = findNearestOperation(method, path)
  if (nearest === undefined) return ''
  const operation = operations[nearest]
  const description = `${nearest}, ${operation.method} ${operation.path}`
  const found = findAddress(operation, address)
  if (found === address) return `; did you mean ${description}?`
  const place = `at the ${addresses[found].title} address`
  const template = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const isExact = method === operation.method && template.test(path)
  return isExact ? `; ${description}, is ${place}` : `; did you mean ${description}, ${place}?`
}

/** Returns the requested address if it has the operation, else one in its environment, else any. */
function findAddress({ addresses: own }: Operation, requested: AddressId): AddressId {
  if (own.includes(requested)) return requested
  const { environment } = addresses[requested]
  return own.find((id) => addresses[id].environment === environment) ?? own[0] ?? requested
}
