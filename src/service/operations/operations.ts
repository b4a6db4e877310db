import type { Operation } from './operation.js'
import * as table from './table.js'

/** Name of an operation of the service, such as `listInventory`. */
export type OperationId = keyof typeof table

/** Every operation of the service by its id. */
export const operations: Readonly<Record<OperationId, Operation>> = table

/** Ids of the operations, in the order of the specification. */
export const operationIds = (Object.keys(table) as OperationId[]) // the keys of a const table
  .sort((a, b) => compare(operations[a].section, operations[b].section) || compare(a, b))

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
