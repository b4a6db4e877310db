import type { ControlOperation } from '../control/operation.js'
import { type AddressId, addresses } from '../service/addresses.js'
import { Problem } from '../service/errors.js'
import type { Operation } from '../service/operations/operation.js'
import { type OperationId, operationIds, operations } from '../service/operations/operations.js'
import { truncate } from '../service/validation/message.js'
import { findNearestName } from '../service/validation/nearest-name.js'

/** The operation that a request matched. */
export type Endpoint = ServiceEndpoint | ControlEndpoint

export interface ServiceEndpoint {
  readonly type: 'service'
  readonly id: OperationId
  readonly definition: Operation
}

export interface ControlEndpoint {
  readonly type: 'control'
  readonly id: string
  readonly definition: ControlOperation
}

/** The result of routing. */
export interface Route<Found extends Endpoint = Endpoint> {
  /** Undefined if no operation matched. */
  readonly endpoint?: Found
  /** Path parameters, still percent-encoded. Undefined if the path has none. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** If no operation matched, the methods of the path; empty if no operation has the path. */
  readonly allow: readonly string[]
}

/** Matches methods and paths against the operations of one address, exactly as written (A16). */
export class Router<Found extends Endpoint> {
  /** By address. */
  readonly #endpoints = new Map<AddressId, { segments: readonly string[]; endpoint: Found }[]>()

  add(endpoint: Found, addressIds: readonly AddressId[]): void {
    const segments = endpoint.definition.path.split('/')
    for (const address of addressIds) {
      const others = this.#endpoints.get(address) ?? []
      this.#endpoints.set(address, [...others, { segments, endpoint }])
    }
  }

  route(address: AddressId, method: string, path: string): Route<Found> {
    const wanted = method === 'HEAD' ? 'GET' : method
    const sent = path.split('/')
    const allow: string[] = []
    for (const { segments, endpoint } of this.#endpoints.get(address) ?? []) {
      const match = matchSegments(segments, sent)
      if (!match) continue
      const { definition } = endpoint
      if (definition.method === wanted) return { endpoint, params: match.params, allow: [] }
      allow.push(definition.method)
      if (definition.method === 'GET') allow.push('HEAD')
    }
    if (allow.length > 0) allow.push('OPTIONS')
    return { allow }
  }
}

/** Finds operations of the service. */
export const serviceRouter: Router<ServiceEndpoint> = new Router()
for (const id of operationIds) {
  const definition = operations[id]
  serviceRouter.add({ type: 'service', id, definition }, definition.addresses)
}

/** Splits `/inventory/7?x=1#y` into path and query, and drops the fragment. */
export function splitTarget(target: string): { path: string; query: string } {
  const fragmentAt = target.indexOf('#')
  const whole = fragmentAt < 0 ? target : target.slice(0, fragmentAt)
  const queryAt = whole.indexOf('?')
  if (queryAt < 0) return { path: whole, query: '' }
  return { path: whole.slice(0, queryAt), query: whole.slice(queryAt + 1) }
}

/** Returns the parameters of a path that matches a template; otherwise undefined. */
function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Pick<Route, 'params'> | undefined {
  if (template.length !== segments.length) return undefined
  let params: Record<string, string> | undefined
  for (const [index, expected] of template.entries()) {
    const found = segments[index]
    if (expected.startsWith('{')) {
      if (!found) return undefined
      params ??= {}
      params[expected.slice(1, -1)] = found
    } else if (expected !== found) return undefined
  }
  return { params }
}

/** Creates the problem for a request that matched no operation. Suggests the most similar one. */
export function toRouteProblem(
  address: AddressId,
  sentMethod: string,
  path: string,
  allow: readonly string[],
): Problem {
  // HEAD receives the same headers as GET, including the length.
  const method = sentMethod === 'HEAD' ? 'GET' : sentMethod
  const target = `${truncate(method)} ${truncate(path) || '/'}`
  const { title, api } = addresses[address]
  const kind = api === 'control' ? 'a control operation' : 'an operation'
  if (allow.length > 0) {
    const message = `${target} is not ${kind}; the path has ${allow.join(', ')}`
    return new Problem('method_not_allowed', message)
  }
  if (api === 'control') {
    const message = `${target} is not ${kind}; GET the base address for a list of paths`
    return new Problem('route_not_found', message)
  }
  const hint = suggestOperation(method, path, address)
  return new Problem('route_not_found', `${target} is not ${kind} of the ${title} address${hint}`)
}

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
  // With the method of the request, a candidate also matches if only the method is wrong.
  const candidates = [undefined, method].flatMap((wanted) =>
    operationIds.map((id) => {
      const template = operations[id].path.replace(/\{\w+\}/g, '{}')
      return { id, name: `${wanted ?? operations[id].method} ${template}` }
    }),
  )
  const names = candidates.map(({ name }) => name)
  const nearest = findNearestName(`${method} ${normalized}`, names)
  return candidates.find(({ name }) => name === nearest)?.id
}

/** Returns the end of a message about an unknown path; empty if no operation is similar. */
function suggestOperation(method: string, path: string, address: AddressId): string {
  const nearest = findNearestOperation(method, path)
  if (nearest === undefined) return ''
  const operation = operations[nearest]
  const description = `${nearest}, ${operation.method} ${operation.path}`
  const found = findAddress(operation, address)
  if (found === address) return `; did you mean ${description}?`
  const place = `at the ${addresses[found].title} address`
  const template = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)
  const isExact = method === operation.method && template.test(path)
  return isExact ? `; ${description}, is ${place}` : `; did you mean ${description}, ${place}?`
}

/** Returns the address of an operation in the environment of the requested address, else any. */
function findAddress({ addresses: own }: Operation, requested: AddressId): AddressId {
  const { environment } = addresses[requested]
  return own.find((id) => addresses[id].environment === environment) ?? own[0] ?? requested
}
