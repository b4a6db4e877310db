import { toCount, truncate } from '../../service/validation/message.js'
import type { DocumentProblem, Place } from './problems.js'

/** The problems of a document, with their lines. */
export function ProblemList(props: {
  id: string
  text: string
  problems: readonly DocumentProblem[]
  /** Shows a place in the editor. Without it, the list has the source of each line. */
  onSelect?: ((place: Place) => void) | undefined
}) {
  const { id, text, problems, onSelect } = props
  const errors = problems.filter(({ isWarning }) => !isWarning).length
  return (
    <div id={id} class="findings">
      <p role="status" class={errors > 0 ? 'bad' : 'hint'}>
        {toSummary(errors, problems.length - errors)}
      </p>
      <ol class="problems">
        {problems.map(({ message, place, isWarning }) => (
          <li key={`${place?.start} ${message}`} class={isWarning ? 'warning' : 'error'}>
            {place && onSelect && (
              <button type="button" onClick={() => onSelect(place)}>
                Line {place.line}
              </button>
            )}
            {place && !onSelect && <b>Line {place.line}</b>}
            <span>
              {message}
              {place && !onSelect && <code class="block">{readLine(text, place)}</code>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function toSummary(errors: number, warnings: number): string {
  const parts = [
    errors > 0 && toCount(errors, 'errors'),
    warnings > 0 && toCount(warnings, 'warnings'),
  ]
  return parts.filter(Boolean).join(' and ')
}

/** Returns the part of a line around a place. */
function readLine(text: string, { start, column }: Place): string {
  const from = Math.max(start - column + 1, start - 40)
  const [line = ''] = text.slice(from, start + 80).split('\n', 1)
  return truncate(line.trim())
}
