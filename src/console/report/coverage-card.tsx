import { useMemo } from 'preact/hooks'
import { describeCell } from '../../report/format/coverage.js'
import { describeCoverage } from '../../report/format/words.js'
import type { CoverageCell, Report } from '../../report/report.js'
import { toCount } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { formatCount } from '../parts/count.js'
import { useSession } from '../session/session.js'
import { useTabState } from '../session/tab-storage.js'
import { findSetup, toGrid } from './coverage.js'

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
