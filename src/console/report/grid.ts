import type { CoverageCell } from '../../report/report.js'

/** A row of the grid: a kind of response, with the combination of each operation that has one. */
export interface GridRow {
  /** `2xx`, `404`, `429`. */
  readonly status: string
  /** State of the service: `last request`; empty if it does not matter. */
  readonly state: string
  readonly cells: ReadonlyMap<string, CoverageCell>
}

/** The combinations as a grid of responses and operations. */
export interface Grid {
  readonly operations: readonly string[]
  readonly rows: readonly GridRow[]
}

/** Arranges the combinations of a report: success first, then by status. */
export function toGrid(cells: readonly CoverageCell[]): Grid {
  const rows = new Map<
    string,
    { status: string; state: string; cells: Map<string, CoverageCell> }
  >()
  for (const cell of cells) {
    const status = cell.status < 400 ? '2xx' : String(cell.status)
    const state = describeState(cell)
    const key = `${status} ${state}`
    const row = rows.get(key) ?? { status, state, cells: new Map() }
    rows.set(key, row)
    row.cells.set(cell.operation, cell)
  }
  const operations = [...new Set(cells.map(({ operation }) => operation))]
  return { operations, rows: [...rows.values()].sort((a, b) => compare(a.status, b.status)) }
}

function compare(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10)
}

function describeState({ status, limiter, sunset }: CoverageCell): string {
  if (sunset === 'after') return 'after the sunset'
  if (limiter === 'last') return 'last request'
  if (limiter !== 'fresh') return limiter
  return status < 400 ? 'requests left' : ''
}

/** Identifies a combination. */
export function toCellId({ operation, status, limiter, sunset }: CoverageCell): string {
  return [operation, status, limiter, sunset].join(' ')
}
