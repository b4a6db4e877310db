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
