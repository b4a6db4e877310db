import type { CoverageCell } from '../../report/report.js'
import type { OperationId } from '../../service/operations/operations.js'
import type { Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'

/** A row of the grid: a kind of response, with the combination of each operation that has one. */
interface GridRow {
  /** `2xx`, `404`, `429`. */
  readonly status: string
  /** State of the service: `last request`; empty if it does not matter. */
  readonly state: string
  readonly cells: Map<string, CoverageCell>
}

/** Arranges the combinations of a report by response and operation: success first, then by status. */
export function toGrid(cells: readonly CoverageCell[]) {
  const rows = new Map<string, GridRow>()
  for (const cell of cells) {
    const status = cell.status < 400 ? '2xx' : String(cell.status)
    const state = describeState(cell)
    const row = rows.get(`${status} ${state}`) ?? { status, state, cells: new Map() }
    rows.set(`${status} ${state}`, row)
    row.cells.set(cell.operation, cell)
  }
  return {
    operations: [...new Set(cells.map(({ operation }) => operation))],
    rows: [...rows.values()].sort((a, b) => parseInt(a.status, 10) - parseInt(b.status, 10)),
  }
}

function describeState({ status, limiter, sunset }: CoverageCell): string {
  if (sunset === 'after') return 'after the sunset'
  if (limiter === 'last') return 'last request'
  if (limiter !== 'fresh') return limiter
  return status < 400 ? 'requests left' : ''
}

/** One step after which the next request of the operation meets a combination. */
export interface Setup {
  readonly label: string
  /** The notice after a success. */
  readonly done: string
  run(client: PageClient): Promise<unknown>
}

/** Returns the step for a combination. Undefined if there is none that does not restart the world. */
export function findSetup(
  { status, limiter, sunset, operation: id }: CoverageCell,
  { deprecation: { afterSunset, sunsetAt } }: Pick<Overview, 'deprecation'>,
): Setup | undefined {
  if (sunset === 'after') {
    if ((afterSunset === 'serve') !== status < 400) return undefined
    return {
      label: 'Move the clock to the sunset',
      done: 'The sunset has passed on the clock of the world.',
      run: (client) => client.send('changeClock', { body: { now: sunsetAt } }),
    }
  }
  if (limiter !== 'fresh') {
    const { label, done, quota } = quotaSetups[limiter]
    return { label, done, run: (client) => client.send('changeQuota', { body: quota }) }
  }
  if (status < 400) return undefined
  const operation = id as OperationId // a report names operations of the service
  return {
    label: `Fail the next ${operation} with ${status}`,
    done: `The next ${operation} request receives ${status}.`,
    run: (client) =>
      client.send('addFault', { body: { type: 'status', status, operation, atMost: 1 } }),
  }
}

const quotaSetups = {
  last: {
    label: 'Leave one request',
    done: 'One request remains in the minute window.',
    quota: { minute: { remaining: 1 }, ban: null },
  },
  exhausted: {
    label: 'Exhaust the minute',
    done: 'The minute window is exhausted.',
    quota: { minute: { remaining: 0 }, ban: null },
  },
  banned: {
    label: 'Ban the key for 5 min',
    done: 'The key is banned for 5 minutes.',
    quota: { ban: { seconds: 300 } },
  },
} as const
