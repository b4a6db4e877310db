import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { parseJson } from '../../service/json.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { saveFile } from '../parts/save-file.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useOpenFile } from './drop-target.js'
import { JsonEditor, showPlace } from './json-editor.js'
import { ProblemList } from './problem-list.js'
import { type DocumentProblem, findSyntaxProblems, locateProblems, type Place } from './problems.js'
import {
  documentFailures,
  hasChanged,
  isTooLarge,
  toStamp,
  useDocument,
  useOpenDocument,
} from './use-document.js'
import type { Start } from './use-start.js'

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
  const [{ earlier }] = useDocument()
  const open = useOpenDocument()
  const openFile = useOpenFile()
  const id = useId()
  const openState = () =>
    act('Opened the running state in the editor.', async () => {
      // Read first, so that a change in between is reported.
      const overview = await client.send('getOverview')
      const { text } = await client.request('getSnapshot')
      const origin = `the running state of ${overview.scenario}`
      const world = toStamp(overview)
      open({ text: indentJson(text), origin, world })
    })
  return (
    <div class="actions">
      <button type="button" onClick={() => void openState()}>
        Edit the running state
      </button>
      <button type="button" onClick={() => open({ text: template, origin: 'a new scenario' })}>
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
      {earlier.map((kept, at) => (
        <button key={at} type="button" onClick={() => open({ ...kept, isEdited: true })}>
          Back to your text of {kept.origin}
        </button>
      ))}
    </div>
  )
}

function DocumentEditor({ start }: { start: Start }) {
  const [document, change] = useDocument()
  const { id, text, origin, isEdited, failure } = document
  const isLarge = isTooLarge(document)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const problems = useMemo(() => findProblems(text, isLarge, failure), [text, isLarge, failure])
  const submit = useSubmit(start, area)
  useFocus(area)
  const show = (place: Place) => area.current && showPlace(area.current, place)
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
          key={id}
          initial={text}
          label="Scenario as JSON"
          problems={problems}
          describedBy={listId}
          area={area}
          // Another document may have replaced this one.
          onChange={(typed) =>
            change((at) => (at.id === id ? { ...at, text: typed, isEdited: true } : at))
          }
        />
      )}
      <ProblemList
        id={listId}
        text={text}
        problems={problems}
        onSelect={isLarge ? undefined : show}
      />
      <div class="actions">
        <button type="button" class="primary" onClick={() => void submit(isLarge)}>
          Start from it
        </button>
        <button
          type="button"
          onClick={() => saveFile(toFileName(origin), [area.current?.value ?? text])}
        >
          Save as {toFileName(origin)}
        </button>
      </div>
    </>
  )
}

/** Scrolls to a document that was just opened. */
function useFocus(area: { readonly current: HTMLElement | null }): void {
  const [{ id, takesFocus }, change] = useDocument()
  useLayoutEffect(() => {
    if (!takesFocus) return
    change((at) => ({ ...at, takesFocus: false }))
    area.current?.focus({ preventScroll: true })
    area.current?.scrollIntoView({ block: 'center' })
  }, [id, takesFocus])
}

/** Says that the world is not as it was when the document was loaded. */
function ChangeWarning() {
  const { overview } = useSession()
  const [{ world }, change] = useDocument()
  const now = useMemo(() => toStamp(overview), [overview])
  useEffect(() => {
    if (world === 'next' && now) change((at) => ({ ...at, world: now }))
  }, [world, now, change])
  if (!world || world === 'next' || !now || !hasChanged(world, now)) return null
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
): (isLarge: boolean) => Promise<void> {
  const [document, change] = useDocument()
  const show = (problems: readonly DocumentProblem[]) => {
    const place = problems.find((problem) => problem.place && !problem.isWarning)?.place
    if (place && area.current) showPlace(area.current, place)
  }
  const { notify } = useSession()
  return async (isLarge) => {
    const text = area.current?.value ?? document.text
    const invalid = findProblems(text, isLarge).filter(({ isWarning }) => !isWarning)
    change((at) => ({ ...at, text, failure: undefined }))
    if (invalid.length > 0) {
      show(invalid)
      notify(documentFailures.syntax, 'error')
      return
    }
    const isStarted = await start.startJson(text, `Started ${document.origin}.`, (error) => {
      const { message: failure } = toFailure(error)
      change((at) => ({ ...at, failure }))
      show(locateProblems(text, failure))
      return new Error(documentFailures.refused)
    })
    if (isStarted) change((at) => ({ ...at, world: 'next' }))
  }
}

/** @param failure Message of the latest start, if it failed. */
function findProblems(
  text: string,
  isLarge: boolean,
  failure?: string,
): readonly DocumentProblem[] {
  const located = failure === undefined ? [] : locateProblems(text, failure)
  const syntax = isLarge && parseJson(text) !== undefined ? [] : findSyntaxProblems(text)
  return [...syntax, ...located].sort((a, b) => (a.place?.start ?? -1) - (b.place?.start ?? -1))
}

function toFileName(origin: string): string {
  return origin.endsWith('.json') ? origin : 'scenario.json'
}
