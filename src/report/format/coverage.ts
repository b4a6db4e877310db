import { groupBy } from 'es-toolkit/array'
import type { CoverageCell } from '../report.js'

/** Groups the combinations by operation. */
export function groupByOperation(
  cells: readonly CoverageCell[],
): readonly (readonly [operation: string, cells: readonly CoverageCell[]])[] {
  return Object.entries(groupBy(cells, ({ operation }) => operation))
}

/** Missing combinations of one operation that the same step produces. */
export interface MissingGroup {
  /** The combinations: `200 (last), 429 (banned)`. */
  readonly combinations: string
  readonly howTo: string
}

/** Groups the missing combinations of one operation by the step that produces them. */
export function groupMissing(cells: readonly CoverageCell[]): readonly MissingGroup[] {
  const missing = cells.filter(({ count }) => count === 0)
  return Object.entries(groupBy(missing, ({ howTo }) => howTo)).map(([howTo, members]) => ({
    combinations: members.map(describeState).join(', '),
    howTo,
  }))
}

/** Returns the name of a combination: `getPet 200 before the sunset (last)`. */
export function describeCell(cell: CoverageCell): string {
  return `${cell.operation} ${describeState(cell)}`
}

function describeState({ status, limiter, sunset }: CoverageCell): string {
  return `${status}${sunset ? ` ${sunset} the sunset` : ''} (${limiter})`
}
