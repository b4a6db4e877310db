import { findNearestName } from '../validation/nearest-name.js'
import { type OperationId, operationIds, operations } from './operations.js'

/** Returns the operation that is most similar to a method and path; undefined if none is similar. */
export function findNearestOperation(method: string, path: string): OperationId | undefined {
  const normalized = path
    .replace(/\/+$/, '')
    .toLowerCase()
    .replace(/\/-?\d+/g, '/{}')
  const candidates = new Map(
    operationIds.flatMap((id): [string, OperationId][] => {
      const template = operations[id].path.replace(/\{\w+\}/g, '{}')
      return [
        [`${operations[id].method} ${template}`, id],
        // With its own method, a candidate also matches a request that differs only in the method.
        [`${method} ${template}`, id],
      ]
    }),
  )
  const nearest = findNearestName(`${method} ${normalized}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}
