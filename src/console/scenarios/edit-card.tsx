import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { toCount } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { saveFile } from '../parts/save-file.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import type { ScenarioDocument } from './document.js'
import { type DocumentProblem, findProblems, type Place, splitProblems } from './problems.js'
import type { Start } from './start.js'

const template = `{
  "name": "my-scenario",
  "extends": "default",
  "pets": [
    { "petId": 1, "name": "Nemo", "quantity": 0 }
  ]
}
`

/** Edits a scenario as JSON and starts the world from it. */
export function EditCard(props: { start: Start; document: ScenarioDocument }) {
  const { start, document } = props
  return (
    <Card title="Edit as JSON">
      <p class="hint">
        Edit the state of this world, write a scenario, or drop a scenario file anywhere on the
        page. The world changes only when you start from the document. What you type is kept in this
        tab.
      </p>
      <Sources document={document} />
      {document.origin !== '' && <DocumentEditor start={start} document={document} />}
    </Card>
  )
}

/** The texts that can be opened. */
function Sources({ document: { open, openFile } }: { document: ScenarioDocument }) {
  const { act, client, overview } = useSession()
  const id = useId()
  const openState = () =>
    act('Read the running state.', async () => {
      const { text } = await client.request('getSnapshot')
      open(indentJson(text), `the running state of ${overview?.scenario}`)
    })
  return (
    <div class="actions">
      <button type="button" onClick={() => void openState()}>
        Edit the running state
      </button>
      <button type="button" onClick={() => open(template, 'a new scenario')}>
        Write a scenario
      </button>
      <span class="actions">
        <label class="hint" for={id}>
          Open a file
        </label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) void openFile(file)
            // So that the same file can be opened again.
            currentTarget.value = ''
          }}
        />
      </span>
    </div>
  )
}

/** Number of characters above which a text field is too slow: to open 400,000 takes a second. */
const maximumEditable = 200_000

const unchanged = 'The world did not change; the list below the document says why'

function DocumentEditor({ start, document }: { start: Start; document: ScenarioDocument }) {
  const { client, notify } = useSession()
  const { text, origin, isEdited, takesFocus, rejected, change } = document
  // While it is edited, the editor stays.
  const isLarge = !isEdited && text.length > maximumEditable
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const problems = useMemo(() => findProblems(text, rejected), [text, rejected])
  const show = (place: Place | undefined) => area.current && place && showPlace(area.current, place)
  useLayoutEffect(() => {
    if (!takesFocus) return
    change({ takesFocus: false })
    area.current?.focus({ preventScroll: true })
    area.current?.parentElement?.scrollIntoView({ block: 'center' })
  })
  const showError = (found: readonly string[]) => {
    const error = findProblems(text, found).find(({ isWarning }) => !isWarning)
    show(error?.place)
    return error
  }
  const submit = () => {
    // It shows syntax errors at once: the user may type again before the start has failed.
    if (showError([])) return notify(`${unchanged}.`, 'error')
    void start.start(`Started ${origin}.`, async () => {
      try {
        await client.send('putScenario', { json: text })
        change({ rejected: [] })
      } catch (error) {
        const found = splitProblems(toFailure(error).message)
        change({ rejected: found })
        showError(found)
        throw new Error(unchanged)
      }
    })
  }
  const fileName = origin.endsWith('.json') ? origin : 'scenario.json'
  return (
    <>
      <p class="origin">
        Document: <b>{origin}</b>
        {isEdited && <span class="mark">edited</span>}
      </p>
      {isLarge ? (
        <p>
          This document has {text.length.toLocaleString('en')} characters. A text field of this size
          makes the page slow, so it is not shown. Save it, change it in another editor, and drop
          the file here.
        </p>
      ) : (
        <JsonEditor
          text={text}
          problems={problems}
          describedBy={listId}
          area={area}
          onChange={(typed) => change({ text: typed, isEdited: true })}
        />
      )}
      <ProblemList id={listId} problems={problems} onSelect={isLarge ? undefined : show} />
      <div class="actions">
        <button type="button" class="primary" onClick={submit}>
          Start from it
        </button>
        <button type="button" onClick={() => saveFile(fileName, [text])}>
          Save as {fileName}
        </button>
      </div>
    </>
  )
}

/** The problems of a document, with their lines. */
function ProblemList(props: {
  id: string
  problems: readonly DocumentProblem[]
  /** Shows a place in the editor, if there is one. */
  onSelect: ((place: Place) => void) | undefined
}) {
  const { id, problems, onSelect } = props
  const errors = problems.filter(({ isWarning }) => !isWarning).length
  const counts = [toCount(errors, 'errors'), toCount(problems.length - errors, 'warnings')]
  return (
    <div id={id} class="findings">
      <p role="status" class={errors > 0 ? 'bad' : 'hint'}>
        {problems.length > 0 && counts.filter((count) => !count.startsWith('0 ')).join(' and ')}
      </p>
      <ol class="problems">
        {problems.map(({ message, place, isWarning }) => (
          <li key={`${place?.start} ${message}`} class={isWarning ? 'warning' : 'error'}>
            {place && (
              <button type="button" disabled={!onSelect} onClick={() => onSelect?.(place)}>
                Line {place.line}
              </button>
            )}
            <span>{message}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** A text field with line numbers, in which lines with problems are marked. */
function JsonEditor(props: {
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
function showPlace(area: HTMLTextAreaElement, { line, start, end }: Place): void {
  area.focus({ preventScroll: true })
  area.setSelectionRange(start, Math.min(end, start + 200))
  area.parentElement?.scrollTo({ top: (line - 4) * lineHeight })
  area.parentElement?.scrollIntoView({ block: 'nearest' })
}
