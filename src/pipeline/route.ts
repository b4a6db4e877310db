import type { AddressId } from '../contract/addresses.js'
import type { Method } from '../contract/operations.js'

/** What a router needs to know of an operation. */
export interface Routable {
  readonly method: Method
  readonly path: string
  readonly addresses: readonly AddressId[]
}

/** Where a method and path lead. */
export type Route<Id extends string = string> =
  | { readonly operation: Id; readonly params: Readonly<Record<string, string>> }
  | { readonly operation: undefined; readonly allow: readonly string[] }

interface CompiledRoute<Id extends string> {
  readonly id: Id
  readonly method: Method
  readonly segments: readonly string[]
}

const noParams: Readonly<Record<string, string>> = Object.freeze({})

/** Finds the operation of a method and a path below one address, exactly as written (A16). */
export class Router<Id extends string> {
  /** By address and number of segments, so that a call is held against few. */
  readonly #routes = new Map<string, CompiledRoute<Id>[]>()

  constructor(operations: Readonly<Record<Id, Routable>>) {
    for (const id of Object.keys(operations) as Id[]) {
      const { method, path, addresses } = operations[id]
      const segments = path.split('/')
      for (const address of addresses) {
        const key = `${address} ${segments.length}`
        this.#routes.set(key, [...(this.#routes.get(key) ?? []), { id, method, segments }])
      }
    }
  }

  /** Without an operation, `allow` names the methods that the path has; none when it has none. */
  route(address: AddressId, method: string, path: string): Route<Id> {
    const segments = path.split('/')
    const candidates = this.#routes.get(`${address} ${segments.length}`) ?? []
    const wanted = method === 'HEAD' ? 'GET' : method
    const allow: string[] = []
    for (const candidate of candidates) {
      const params = matchSegments(candidate.segments, segments)
      if (!params) continue
      if (candidate.method === wanted) return { operation: candidate.id, params }
      allow.push(candidate.method)
      if (candidate.method === 'GET') allow.push('HEAD')
    }
    if (allow.length > 0) allow.push('OPTIONS')
    return { operation: undefined, allow }
  }
}

/** The parameters, still escaped; undefined when the path is another one. */
export function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  let params: Record<string, string> | undefined
  for (const [index, expected] of template.entries()) {
    const found = segments[index] ?? ''
    if (expected.startsWith('{')) {
      if (found === '') return undefined
      params = { ...params, [expected.slice(1, -1)]: found }
    } else if (expected !== found) return undefined
  }
  return params ?? noParams
}
