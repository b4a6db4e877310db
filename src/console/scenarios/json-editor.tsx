import type { RefObject } from 'preact'
import type { DocumentProblem, Place } from './problems.js'

/** A text field with line numbers, in which lines with problems are marked. */
export function JsonEditor(props: {
  text: string
  problems: readonly DocumentProblem[]
  /** Id of the list of problems. */
  describedBy: string
  area: RefObject<HTMLTextAreaElement | null>
  onChange: (text: string) => void
}) {
  const { text, problems, describedBy, area, onChange } = props
  const lines = text.split('\n')
  const located = problems.filter(({ place }) => place)
  return (
    <div class="editor">
      <div class="line-numbers" aria-hidden="true">
        <pre>{lines.map((_, at) => at + 1).join('\n')}</pre>
        {located.map(({ place, isWarning }, at) => (
          <span key={at} class={isWarning ? 'warning' : 'error'} style={toOffset(place)}>
            {place?.line}
          </span>
        ))}
      </div>
      {/* As large as its text, so that the numbers scroll with it. */}
      <textarea
        ref={area}
        class="code"
        rows={lines.length}
        cols={Math.min(1_000, lines.reduce((most, { length }) => Math.max(most, length), 0) + 1)}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-label="Scenario as JSON"
        aria-invalid={problems.some(({ isWarning }) => !isWarning)}
        aria-describedby={describedBy}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** Height of a line, in pixels, as in the style sheet. */
const lineHeight = 20

function toOffset(place: Place | undefined): { top: string } {
  return { top: `${((place?.line ?? 1) - 1) * lineHeight}px` }
}

/** Selects a part of the text and scrolls to it. */
export function showPlace(area: HTMLTextAreaElement, { line, start, end }: Place): void {
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, Math.min(end, start + 200))
  area.parentElement?.scrollTo({ top: (line - 4) * lineHeight })
  area.parentElement?.scrollIntoView({ block: 'nearest' })
}
