import type { CoverageCell } from '../report.js'

/** The combinations of one operation, before or after its sunset. */
export interface OperationCells {
  /** Such as `getPet before the sunset`. */
  readonly name: string
  readonly cells: readonly CoverageCell[]
}

/** Groups the combinations by operation and sunset. */
export function groupByOperation(cells: readonly CoverageCell[]): readonly OperationCells[] {
  return groupBy(cells, toName).map(([name, members]) => ({ name, cells: members }))
}

/** Missing combinations that the same step produces. */
export interface MissingGroup {
  readonly howTo: string
  /** Number of combinations. */
  readonly count: number
  /** The combinations, those of one operation and limiter state together: `getPet 200, 404 (last)`. */
  readonly combinations: readonly string[]
}

/** Groups the missing combinations by the step that produces them, largest group first. */
export function groupMissing(cells: readonly CoverageCell[]): readonly MissingGroup[] {
  const missing = cells.filter(({ count }) => count === 0)
  return groupBy(missing, ({ howTo }) => howTo)
    .map(([howTo, members]) => ({ howTo, count: members.length, combinations: combine(members) }))
    .sort((a, b) => b.count - a.count)
}

/** Returns the name of a combination: `getPet before the sunset 429 (banned)`. */
export function describeCell(cell: CoverageCell): string {
  return `${toName(cell)} ${cell.status} (${cell.limiter})`
}

function combine(cells: readonly CoverageCell[]): readonly string[] {
  return groupByOperation(cells).flatMap(({ name, cells: ofOperation }) =>
    groupBy(ofOperation, ({ limiter }) => limiter).map(
      ([limiter, members]) =>
        `${name} ${members.map(({ status }) => status).join(', ')} (${limiter})`,
    ),
  )
}

function toName({ operation, sunset }: CoverageCell): string {
  return sunset ? `${operation} ${sunset} the sunset` : operation
}

/** `Map.groupBy` of Node.js 21. */
function groupBy<Value>(
  values: readonly Value[],
  toKey: (value: Value) => string,
): [key: string, members: Value[]][] {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = toKey(value)
    const members = groups.get(key) ?? []
    groups.set(key, members)
    members.push(value)
  }
  return [...groups]
}
