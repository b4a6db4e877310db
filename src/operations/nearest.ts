import { type OperationId, operationIds, operations } from '../contract/operations.js'
import { findNearestName } from '../validation/nearest-name.js'

/** Returns the operation most similar to a method and path, or undefined if none is similar. */
export function findNearestOperation(method: string, path: string): OperationId | undefined {
  const plain = path.replace(/\/+$/, '').toLowerCase()
  const requested = plain.replace(/\/-?\d+/g, '/{}')
  const candidates = new Map(
    operationIds.flatMap((id): [string, OperationId][] => {
      const template = operations[id].path.replace(/\{\w+\}/g, '{}')
      return [
        [`${operations[id].method} ${template}`, id],
        // With the request's own method, so that a wrong method counts less than a wrong path.
        [`${method} ${template}`, id],
      ]
    }),
  )
  const nearest = findNearestName(`${method} ${requested}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}
