import { type AddressId, addresses } from '../contract/addresses.js'
import { Problem } from '../contract/errors.js'
import { type OperationId, operations } from '../contract/operations.js'
import { findNearestOperation } from '../operations/nearest.js'
import type { ApiRequest } from './message.js'
import { matchSegments } from './route.js'

/** Why a method and path lead to no operation, and which one was probably meant. */
export function toRouteProblem(call: ApiRequest, allow: readonly string[]): Problem {
  // HEAD is answered as GET is, to the byte.
  const method = call.method === 'HEAD' ? 'GET' : call.method
  const what = `${method} ${call.path.slice(0, 200) || '/'}`
  if (allow.length > 0) {
    const message = `${what} is no operation; the path has ${allow.join(', ')}`
    return new Problem('method_not_allowed', message)
  }
  const { title } = addresses[call.address]
  const hint = toHint(method, call.path, call.address)
  return new Problem('route_not_found', `${what} is no operation of the ${title} address${hint}`)
}

function toHint(method: string, path: string, address: AddressId): string {
  const nearest = findNearestOperation(method, path)
  if (nearest === undefined) return ''
  const { method: itsMethod, path: itsPath } = operations[nearest]
  const its = `${nearest}, ${itsMethod} ${itsPath}`
  const home = findHome(nearest, address)
  if (home === address) return `; did you mean ${its}?`
  const place = `at the ${addresses[home].title} address`
  const isExact = method === itsMethod && matchSegments(itsPath.split('/'), path.split('/'))
  return isExact ? `; ${its}, is ${place}` : `; did you mean ${its}, ${place}?`
}

/** Where an operation is: at the called address, else in its environment, else anywhere. */
function findHome(operation: OperationId, called: AddressId): AddressId {
  const [first, ...others]: readonly [AddressId, ...AddressId[]] = operations[operation].addresses
  const all = [first, ...others]
  if (all.includes(called)) return called
  const { environment } = addresses[called]
  return all.find((id) => addresses[id].environment === environment) ?? first
}
