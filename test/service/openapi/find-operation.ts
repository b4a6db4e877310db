import type { OpenApiDocument, Operation } from '../../../src/service/openapi/build.js'
import type { Response } from '../../../src/service/openapi/responses.js'
import { type OperationId, operations } from '../../../src/service/operations/operations.js'

/** Returns an operation of a document. */
export function findOperation(document: OpenApiDocument, id: OperationId): Operation {
  const { path, method } = operations[id]
  const item: Readonly<Record<string, unknown>> = { ...document.paths[path] }
  return item[method.toLowerCase()] as Operation // a path item has operations under its methods
}

/** Returns the responses of an operation by status or `default`. */
export function findResponses(document: OpenApiDocument, id: OperationId): [string, Response][] {
  return Object.entries(findOperation(document, id).responses)
}
