import { type OperationId, operations } from '../../src/operations/operations.js'
import type { OpenApiDocument, Operation, Response } from '../../src/openapi/document.js'

/** What a document says of an operation. */
export function findOperation(document: OpenApiDocument, id: OperationId): Operation {
  const { path, method } = operations[id]
  const item: Readonly<Record<string, unknown>> = { ...document.paths[path] }
  return item[method.toLowerCase()] as Operation // a path item has operations under its methods
}

/** The responses of an operation, each with its status or `default`. */
export function findResponses(document: OpenApiDocument, id: OperationId): [string, Response][] {
  return Object.entries(findOperation(document, id).responses)
}
