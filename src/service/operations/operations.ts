import type { Operation } from './operation.js'
import * as table from './table.js'

/** Name of an operation of the service, such as `listInventory`. */
export type OperationId = keyof typeof table

/** Every operation of the service by its id. */
export const operations: Readonly<Record<OperationId, Operation>> = table

/** Ids of the operations by their section of the specification; the keys of a module are sorted. */
export const operationIds = (Object.keys(table) as OperationId[]) // the keys of a const table
  .sort((a, b) => operations[a].section.localeCompare(operations[b].section))
