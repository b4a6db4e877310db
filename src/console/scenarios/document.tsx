import { useEffect, useState } from 'preact/hooks'
import { parseJson } from '../../service/json.js'
import { useDraft } from '../parts/drafts.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { readTab, writeTab } from '../session/tab-storage.js'

/** A scenario that the user edits as JSON. */
interface ScenarioDocument {
  readonly text: string
  /** Where the text comes from: `the running state of default`, or the name of a file. */
  readonly origin: string
  readonly isEdited: boolean
  /** Whether the editor takes the focus when it is shown. */
  readonly takesFocus: boolean
  /** The problems of the latest start, if it failed. */
  readonly rejected: readonly string[]
}

const storageName = 'petstore-sandbox.document'

/** Returns the document of the tab, and functions that change it. What the user types outlives a reload. */
export function useDocument() {
  const { notify } = useSession()
  const [document, setDocument] = useDraft('document', readStored)
  const change = (fields: Partial<ScenarioDocument>) =>
    setDocument((before) => {
      const after = { ...before, ...fields }
      const { text, origin, isEdited } = after
      writeTab(storageName, isEdited ? JSON.stringify({ text, origin }) : '')
      return after
    })
  /** Replaces the text, unless the user wants to keep what was typed. */
  const open = (text: string, origin: string) => {
    if (document.isEdited && !confirm(`Discard your changes of ${document.origin}?`)) return
    change({ text, origin, isEdited: false, takesFocus: true, rejected: [] })
  }
  /** Opens a file in the editor, and shows the scenarios. */
  const openFile = async (file: File) => {
    try {
      open(await readScenarioText(file), file.name)
      location.hash = '#scenarios'
    } catch (error) {
      notify(`${toFailure(error).message}.`, 'error')
    }
  }
  return { document, change, open, openFile }
}

function readStored(): ScenarioDocument {
  const { text = '', origin = '' } = Object(parseJson(readTab(storageName))) // written by this file
  return { text, origin, isEdited: origin !== '', takesFocus: false, rejected: [] }
}

/** Maximum size of a control request, in bytes. */
const maximumBytes = 8 * 1024 * 1024

/**
 * Reads a scenario file. Its text need not be JSON.
 *
 * @throws {Error} If the file is too large, or cannot be read.
 */
async function readScenarioText(file: File): Promise<string> {
  const name = JSON.stringify(file.name)
  if (file.size > maximumBytes) {
    const found = `${(file.size / 1024 / 1024).toFixed(1)} MiB`
    throw new Error(`${name} must have at most 8 MiB, which the sandbox accepts, found ${found}`)
  }
  const text = await file.text().catch(() => {
    throw new Error(`${name} could not be read; drop a file, not a folder`)
  })
  // As in a text field, so that the places of problems are the same.
  return text.replace(/\r\n?/g, '\n')
}

/** Lets the user drop a scenario file anywhere on the page. It is opened in the editor. */
export function DropTarget() {
  const { openFile } = useDocument()
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      const { type, dataTransfer, relatedTarget } = event
      // Text can be dropped in a field.
      if (!dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const hasLeft = type === 'dragleave' && relatedTarget === null
      setDragging(type !== 'drop' && !hasLeft)
      const [file] = dataTransfer.files
      if (type === 'drop' && file) void openFile(file)
    }
    const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const type of types) addEventListener(type, onDrag)
    return () => {
      for (const type of types) removeEventListener(type, onDrag)
    }
  })
  if (!isDragging) return null
  return (
    <div class="drop-target" aria-hidden="true">
      <p>Drop a scenario file to open it in the editor</p>
    </div>
  )
}
