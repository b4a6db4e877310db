import { describeCell } from '../../report/format/coverage.js'
import type { CoverageCell } from '../../report/report.js'
import { toCount } from '../../service/validation/message.js'
import { useSession } from '../session/session.js'
import { findSetup } from './setup.js'

/** How to produce a combination, with a button that prepares it. */
export function CellGuide({ cell }: { cell: CoverageCell }) {
  const { act, client, overview } = useSession()
  const setup = overview && findSetup(cell, overview)
  const needsStart = cell.sunset === 'after' && !setup
  return (
    <div class="report-guide">
      <h3>{describeCell(cell)}</h3>
      <p>{cell.count === 0 ? 'Missing' : `Met: ${toCount(cell.count, 'responses')}`}.</p>
      <p>
        To produce it: <code>{cell.howTo}</code>.
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
        <a class="button" href={`#${cell.operation}`}>
          Open {cell.operation} in Try
        </a>
      </div>
      <p class="hint">{describeNext(setup !== undefined, needsStart, cell.operation)}</p>
    </div>
  )
}

function describeNext(hasSetup: boolean, needsStart: boolean, operation: string): string {
  if (needsStart) return 'Starting a scenario starts a new report as well. Save this one before.'
  const send = `send ${operation} with the client, or in Try`
  return hasSetup ? `Then ${send}.` : `${send.charAt(0).toUpperCase()}${send.slice(1)}.`
}
