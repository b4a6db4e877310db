import { findNearestName } from '../validation/nearest-name.js'
import { type OperationId, operationIds, operations } from './operations.js'

/** The operation that a call of none was probably meant for; null when all are far off. */
export function findNearestOperation(method: string, path: string): OperationId | null {
  const plain = path.replace(/\/+$/, '').toLowerCase()
  const called = plain.replace(/\/-?\d+/g, '/{}')
  const candidates = new Map(
    operationIds.flatMap((id): [string, OperationId][] => {
      const template = operations[id].path.replace(/\{\w+\}/g, '{}')
      return [
        [`${operations[id].method} ${template}`, id],
        // A wrong method is a nearer miss than a wrong path.
        [`${method} ${template}`, id],
      ]
    }),
  )
  const nearest = findNearestName(`${method} ${called}`, [...candidates.keys()])
  return (nearest !== undefined && candidates.get(nearest)) || null
}
