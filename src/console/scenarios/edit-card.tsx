import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { toCount, truncate } from '../../service/validation/message.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { saveFile } from '../parts/save-file.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { openText, type ScenarioDocument, toStamp, useDocument } from './document.js'
import { useOpenFile } from './drop-target.js'
import { JsonEditor, showPlace } from './json-editor.js'
import { type DocumentProblem, findSyntaxProblems, locateProblems, type Place } from './problems.js'
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
export function EditCard({ start }: { start: Start }) {
  const [document] = useDocument()
  return (
    <Card title="Edit as JSON">
      <p class="hint">
        Edit the state of this world, write a scenario, or drop a scenario file anywhere on the
        page. The world changes only when you start from the document. What you type is kept in this
        tab.
      </p>
      <Sources />
      {document.origin !== '' && <DocumentEditor start={start} />}
    </Card>
  )
}

/** The texts that can be opened. */
function Sources() {
  const { act, client } = useSession()
  const [{ replaced }, change] = useDocument()
  const openFile = useOpenFile()
  const id = useId()
  const openState = () =>
    act('Opened the running state in the editor.', async () => {
      // Read first, so that a change in between is reported.
      const overview = await client.send('getOverview')
      const { text } = await client.request('getSnapshot')
      const origin = `the running state of ${overview.scenario}`
      const opened = { text: indentJson(text), origin, world: toStamp(overview) }
      change((before) => openText(before, opened))
    })
  const openTemplate = () =>
    change((before) => openText(before, { text: template, origin: 'a new scenario' }))
  return (
    <div class="actions">
      <button type="button" onClick={() => void openState()}>
        Edit the running state
      </button>
      <button type="button" onClick={openTemplate}>
        Write a scenario
      </button>
      <span class="file">
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
      {replaced && (
        <button
          type="button"
          onClick={() => change((before) => ({ ...openText(before, replaced), isEdited: true }))}
        >
          Back to your text of {replaced.origin}
        </button>
      )}
    </div>
  )
}

/** Number of characters above which a text field is too slow: to open 400,000 takes a second. */
const maximumEditable = 200_000

function DocumentEditor({ start }: { start: Start }) {
  const [document, change] = useDocument()
  const { text, origin, isEdited, takesFocus } = document
  // While it is edited, the editor stays.
  const isLarge = !isEdited && text.length > maximumEditable
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const problems = useProblems(document)
  const submit = useSubmit(start, area)
  useLayoutEffect(() => {
    if (!takesFocus) return
    change((before) => ({ ...before, takesFocus: false }))
    area.current?.focus({ preventScroll: true })
    area.current?.parentElement?.scrollIntoView({ block: 'center' })
  }, [takesFocus, change])
  const show = (place: Place) => area.current && showPlace(area.current, place)
  const fileName = origin.endsWith('.json') ? origin : 'scenario.json'
  return (
    <>
      <p class="origin">
        Document: <b>{origin}</b>
        {isEdited && <span class="mark">edited</span>}
      </p>
      <ChangeWarning />
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
          onChange={(typed) => change((before) => ({ ...before, text: typed, isEdited: true }))}
        />
      )}
      <ProblemList
        id={listId}
        text={text}
        problems={problems}
        onSelect={isLarge ? undefined : show}
      />
      <div class="actions">
        <button type="button" class="primary" onClick={() => void submit()}>
          Start from it
        </button>
        <button type="button" onClick={() => saveFile(fileName, [text])}>
          Save as {fileName}
        </button>
      </div>
    </>
  )
}

/** Returns what is wrong with a document, in the order of its lines. */
function useProblems({ text, failure }: ScenarioDocument): readonly DocumentProblem[] {
  return useMemo(() => {
    const rejected = failure === undefined ? [] : locateProblems(text, failure)
    const problems = [...findSyntaxProblems(text), ...rejected]
    return problems.sort((a, b) => (a.place?.start ?? -1) - (b.place?.start ?? -1))
  }, [text, failure])
}

/** Says that the world is not as it was when the document was loaded. */
function ChangeWarning() {
  const { overview } = useSession()
  const [{ world }] = useDocument()
  if (!world || !overview || world === toStamp(overview)) return null
  return (
    <p class="stale" role="status">
      The world has changed since this was loaded. If you start from it, these changes are lost.
    </p>
  )
}

/** Returns a function that starts the world from the document, or shows its first error. */
function useSubmit(
  start: Start,
  area: { readonly current: HTMLTextAreaElement | null },
): () => Promise<void> {
  const { client, notify } = useSession()
  const [{ text, origin }, change] = useDocument()
  const show = (problems: readonly DocumentProblem[]) => {
    const place = problems.find((problem) => problem.place && !problem.isWarning)?.place
    if (place && area.current) showPlace(area.current, place)
  }
  return async () => {
    change((before) => ({ ...before, failure: undefined }))
    const errors = findSyntaxProblems(text).filter(({ isWarning }) => !isWarning)
    if (errors.length > 0) {
      show(errors)
      notify('The document is not JSON; the list below it says where.', 'error')
      return
    }
    const isStarted = await start.startJson(text, `Started ${origin}.`, (error) => {
      const failure = toFailure(error).message
      change((before) => ({ ...before, failure }))
      show(locateProblems(text, failure))
      return new Error('The world did not change; the list below the document says why')
    })
    const overview = isStarted && (await client.send('getOverview').catch(() => undefined))
    if (overview) change((before) => ({ ...before, world: toStamp(overview) }))
  }
}

/** The problems of a document, with their lines. */
function ProblemList(props: {
  id: string
  text: string
  problems: readonly DocumentProblem[]
  /** Shows a place in the editor. Without it, the list has the source of each line. */
  onSelect: ((place: Place) => void) | undefined
}) {
  const { id, text, problems, onSelect } = props
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
            {place && onSelect && (
              <button type="button" onClick={() => onSelect(place)}>
                Line {place.line}
              </button>
            )}
            {place && !onSelect && <b>Line {place.line}</b>}
            <span>
              {message}
              {place && !onSelect && (
                <code class="block">{truncate(text.slice(place.start, place.start + 80))}</code>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
