import { useMemo } from 'preact/hooks'
import { describeCell } from '../../report/format/coverage.js'
import { describeCoverage } from '../../report/format/words.js'
import type { CoverageCell, Report } from '../../report/report.js'
import type { OperationId } from '../../service/operations/operations.js'
import { toCount } from '../../service/validation/message.js'
import type { Overview } from '../control-types.js'
import { Card } from '../parts/card.js'
import { formatCount } from '../parts/count.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import { useTabState } from '../session/tab-storage.js'

/** Which documented responses the client has met, and how to produce the others. */
export function CoverageCard({ report }: { report: Report }) {
  const { cells } = report.coverage
  const { operations, rows } = useMemo(() => toGrid(cells), [cells])
  const [{ name }, setSelected] = useTabState('petstore-sandbox.coverage', { name: '' })
  const selected = cells.find((cell) => describeCell(cell) === name)
  return (
    <Card title="Coverage">
      <p>
        The client has met {describeCoverage(report)} of operation, status and state of the rate
        limiter. A cell states its number of responses; <b>0</b> means none yet. Select a cell to
        see how to produce it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <div class="scroll" tabIndex={0}>
        <table class="report-grid">
          <caption class="unseen">Responses by status and operation</caption>
          <thead>
            <tr>
              <th scope="col">Response</th>
              {operations.map((operation) => (
                <th key={operation} scope="col">
                  {operation}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.status} ${row.state}`}>
                <th scope="row">
                  {row.status} <span class="hint">{row.state}</span>
                </th>
                {operations.map((operation) => (
                  <td key={operation}>
                    <CellButton
                      cell={row.cells.get(operation)}
                      selected={selected}
                      onSelect={(name) => setSelected({ name })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div role="status">{selected && <CellGuide cell={selected} />}</div>
    </Card>
  )
}

function CellButton(props: {
  cell: CoverageCell | undefined
  selected: CoverageCell | undefined
  onSelect: (name: string) => void
}) {
  const { cell, selected, onSelect } = props
  if (!cell) return <span class="unseen">not documented</span>
  const name = describeCell(cell)
  return (
    <button
      type="button"
      class={cell.count > 0 ? 'met' : 'missing'}
      aria-label={`${name}: ${formatCount(cell.count, 'responses')}`}
      aria-pressed={cell === selected}
      // Browsers consider a cell visible that the first column covers in part.
      onFocus={(event) =>
        event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
      onClick={() => onSelect(name)}
    >
      {cell.count.toLocaleString('en')}
    </button>
  )
}

/** How to produce a combination, with a button that prepares it. */
function CellGuide({ cell }: { cell: CoverageCell }) {
  const { act, client, overview } = useSession()
  const { operation, count, howTo, sunset } = cell
  const setup = overview && findSetup(cell, overview)
  const needsStart = sunset === 'after' && !setup
  return (
    <div class="report-guide">
      <h3>{describeCell(cell)}</h3>
      <p>{count === 0 ? 'Missing' : `Met: ${toCount(count, 'responses')}`}.</p>
      <p>
        To produce it: <code>{howTo}</code>.
      </p>
      <div class="actions">
        {setup && (
          <button
            type="button"
            class="primary"
            onClick={() => void act(setup.done, () => setup.run(client))}
          >
            {setup.label}
          </button>
        )}
        {needsStart && (
          <a class="button" href="#scenarios">
            Open Scenarios
          </a>
        )}
        <a class="button" href={`#${operation}`}>
          Open {operation} in Try
        </a>
      </div>
      <p class="hint">
        {needsStart
          ? 'Starting a scenario starts a new report as well. Save this one before.'
          : `Then send ${operation} with the client, or in Try.`}
      </p>
    </div>
  )
}

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
interface Setup {
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
