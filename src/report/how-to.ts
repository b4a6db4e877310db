import { type OperationId, operations } from '../service/operations/operations.js'
import type { CoverageCell } from './report.js'

/** One way to produce a combination. */
export type Way =
  /** Send a valid request. */
  | { readonly type: 'send' }
  /** Send a valid request with a key of a built-in scenario. */
  | { readonly type: 'scenario'; readonly name: string }
  /** Start a scenario with these fields. */
  | { readonly type: 'fields'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly type: 'prefer'; readonly value: string }
  | { readonly type: 'fault'; readonly fault: { readonly type: 'status'; readonly status: number } }

/** A valid request of each operation, for a pet of the scenario `default`. */
export function toExampleRequest(operation: OperationId): {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
} {
  const { method, path, request } = operations[operation]
  const body = request && JSON.stringify(request.example)
  return { method, path: path.replace('{petId}', '7'), body }
}

/** Returns the ways to produce a combination, the most convenient first. */
export function selectWays(cell: Pick<CoverageCell, 'status' | 'limiter' | 'sunset'>): Way[] {
  const { status, limiter, sunset } = cell
  if (status < 400) {
    if (limiter === 'last') return [{ type: 'scenario', name: 'nearly-limited' }]
    if (sunset !== 'after') return [{ type: 'send' }]
    const deprecation = { deprecatedAt: '-P30D', sunsetAt: '-P1D', afterSunset: 'serve' }
    return [{ type: 'fields', fields: { deprecation } }]
  }
  if (limiter === 'banned') return [{ type: 'scenario', name: 'banned-key' }]
  const simulated: Way[] = [
    { type: 'prefer', value: `code=${status}` },
    { type: 'fault', fault: { type: 'status', status } },
  ]
  if (limiter === 'exhausted') return [{ type: 'scenario', name: 'rate-limited' }, ...simulated]
  if (status === 410) return [{ type: 'scenario', name: 'sunset-passed' }]
  return simulated
}

/** Describes ways: `GET /inventory with Prefer: code=500, or add the fault {…}`. */
export function describeWays(operation: OperationId, ways: readonly Way[]): string {
  const { method, path } = toExampleRequest(operation)
  return `${method} ${path} ${ways.map(describeWay).join(', or ')}`
}

function describeWay(way: Way): string {
  switch (way.type) {
    case 'send':
      return 'in the scenario default'
    case 'scenario':
      return `in the scenario ${way.name}`
    case 'fields':
      return `in a scenario with ${JSON.stringify(way.fields).slice(1, -1)}`
    case 'prefer':
      return `with Prefer: ${way.value}`
    case 'fault':
      return `after the fault ${JSON.stringify(way.fault)} was added`
  }
}
