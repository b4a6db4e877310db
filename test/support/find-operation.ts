import { type OperationId, operationIds, operations } from '../../src/operations/operations.js'
import type { ServiceAddress } from './transport.js'

/** The operation of a request by the contract alone, so that the router is not its own judge. */
export function findOperation(
  address: ServiceAddress,
  method: string,
  path: string,
): OperationId | undefined {
  const [route = ''] = path.split(/[?#]/, 1)
  return operationIds.find((id) => {
    const operation = operations[id]
    const isHere = (operation.addresses as readonly string[]).includes(address)
    const isMethod = operation.method === (method === 'HEAD' ? 'GET' : method)
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return isHere && isMethod && pattern.test(route)
  })
}
