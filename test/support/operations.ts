import type { ControlOperation } from '../../src/control/operation.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations as exactOperations,
} from '../../src/control/operations.js'
import type { AddressId } from '../../src/service/addresses.js'
import type { ErrorCode } from '../../src/service/errors.js'
import { documentedErrors } from '../../src/service/operations/operation.js'
import {
  type OperationId,
  operationIds,
  operations,
} from '../../src/service/operations/operations.js'

/** Every control operation by its id, all of one type, for tests that iterate over them. */
export const controlOperations: Readonly<Record<ControlOperationId, ControlOperation>> =
  exactOperations

/** The documented errors of each operation of the service. */
export const errorsByOperation: Readonly<Record<string, readonly ErrorCode[]>> = Object.fromEntries(
  operationIds.map((id) => [id, documentedErrors(operations[id])]),
)

/** Returns the status of a success of an operation. */
export function successStatus(id: OperationId): number {
  return operations[id].response.status ?? 200
}

/** Finds the operation of a request by its definition, independently of the router. */
export function findOperation(
  address: AddressId,
  method: string,
  path: string,
): OperationId | undefined {
  return operationIds.find(
    (id) => operations[id].addresses.includes(address) && matches(operations[id], method, path),
  )
}

/** Finds the control operation of a request by its definition, independently of the router. */
export function findControlOperation(method: string, path: string): ControlOperationId | undefined {
  return controlOperationIds.find((id) => matches(controlOperations[id], method, path))
}

function matches(
  operation: { readonly method: string; readonly path: string },
  method: string,
  path: string,
): boolean {
  const [route = ''] = path.split(/[?#]/, 1)
  const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)
  return operation.method === (method === 'HEAD' ? 'GET' : method) && pattern.test(route)
}
