import { findNearestName } from '../validation/nearest-name.js'
import { type OperationId, operationIds, operations } from './operations.js'

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
  const toTemplate = (id: OperationId) => operations[id].path.replace(/\{\w+\}/g, '{}')
  const candidates = new Map<string, OperationId>()
  for (const id of operationIds) candidates.set(`${operations[id].method} ${toTemplate(id)}`, id)
  // With the method of the request, a candidate also matches if only the method is wrong.
  for (const id of operationIds) {
    const candidate = `${method} ${toTemplate(id)}`
    if (!candidates.has(candidate)) candidates.set(candidate, id)
  }
  const nearest = findNearestName(`${method} ${normalized}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}
