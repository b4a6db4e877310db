import { useMemo } from 'preact/hooks'
import { describeCell } from '../../report/format/coverage.js'
import { describeCoverage } from '../../report/format/words.js'
import type { CoverageCell, Report } from '../../report/report.js'
import { Card } from '../parts/card.js'
import { formatCount } from '../parts/count.js'
import { useDraft } from '../parts/drafts.js'
import { CellGuide } from './cell-guide.js'
import { type GridRow, toCellId, toGrid } from './grid.js'

/** Which documented responses the client has met, and how to produce the others. */
export function CoverageCard({ report }: { report: Report }) {
  const { cells } = report.coverage
  const grid = useMemo(() => toGrid(cells), [cells])
  const [selectedId, setSelected] = useDraft<string | undefined>('coverage', () => undefined)
  const selected = cells.find((cell) => toCellId(cell) === selectedId)
  return (
    <Card title="Coverage">
      <p>
        The client has met {describeCoverage(report)} of operation, status and state of the rate
        limiter. A number is that of the responses; <b class="report-zero">0</b> is a missing one.
        Select a cell to see how to produce it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <div class="report-frame" tabIndex={0}>
        <table class="report-grid">
          <caption class="unseen">Responses by status and operation</caption>
          <thead>
            <tr>
              <th scope="col">Response</th>
              {grid.operations.map((operation) => (
                <th key={operation} scope="col">
                  {operation}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map((row) => (
              <tr key={`${row.status} ${row.state}`}>
                <th scope="row">
                  {row.status} <span class="hint">{row.state}</span>
                </th>
                {grid.operations.map((operation) => (
                  <GridCell
                    key={operation}
                    cell={row.cells.get(operation)}
                    selectedId={selectedId}
                    onSelect={(id) => setSelected(() => id)}
                  />
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

const nearest: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest' }

function GridCell(props: {
  cell: ReturnType<GridRow['cells']['get']>
  selectedId: string | undefined
  onSelect: (id: string) => void
}) {
  const { cell, selectedId, onSelect } = props
  if (!cell) {
    return (
      <td>
        <span class="unseen">not documented</span>
      </td>
    )
  }
  const id = toCellId(cell)
  return (
    <td>
      <button
        type="button"
        class={cell.count > 0 ? 'met' : 'missing'}
        aria-label={describeButton(cell)}
        aria-pressed={id === selectedId}
        // Browsers consider a cell visible that the first column covers in part.
        onFocus={(event) => event.currentTarget.scrollIntoView(nearest)}
        onClick={() => onSelect(id)}
      >
        {cell.count.toLocaleString('en')}
      </button>
    </td>
  )
}

function describeButton(cell: CoverageCell): string {
  return `${describeCell(cell)}: ${formatCount(cell.count, 'responses')}`
}
