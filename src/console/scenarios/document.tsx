import { useEffect, useState } from 'preact/hooks'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useTabState } from '../session/tab-storage.js'

const empty = {
  text: '',
  /** Where the text comes from: `the running state of default`, or the name of a file. */
  origin: '',
  isEdited: false,
  /** Whether the editor takes the focus when it is shown. */
  takesFocus: false,
  /** The problems of the latest start, if it failed. */
  rejected: [] as readonly string[],
}

/** Maximum size of a control request, in bytes. */
const maximumBytes = 8 * 1024 * 1024

export type ScenarioDocument = ReturnType<typeof useScenarioDocument>

/** Returns the scenario that the user edits as JSON in this tab, and functions that change it. */
export function useScenarioDocument() {
  const { notify } = useSession()
  const [document, setDocument] = useTabState('petstore-sandbox.document', empty)
  const change = (fields: Partial<typeof empty>) =>
    setDocument((before) => ({ ...before, ...fields }))
  /** Replaces the text, unless the user wants to keep what was typed. */
  const open = (text: string, origin: string) => {
    if (document.isEdited && !confirm(`Discard your changes of ${document.origin}?`)) return
    change({ text, origin, isEdited: false, takesFocus: true, rejected: [] })
  }
  /** Opens a file in the editor, and shows the scenarios. */
  const openFile = async (file: File) => {
    try {
      if (file.size > maximumBytes) throw new Error(`${file.name} is larger than 8 MiB`)
      const text = await file.text()
      // As in a text field, so that the places of problems are the same.
      open(text.replace(/\r\n?/g, '\n'), file.name)
      location.hash = '#scenarios'
    } catch (error) {
      notify(`The file was not opened: ${toFailure(error).message}.`, 'error')
    }
  }
  return { ...document, change, open, openFile }
}

/** Lets the user drop a file anywhere on the page. */
export function DropTarget({ onFile }: { onFile: (file: File) => Promise<void> }) {
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
      if (type === 'drop' && file) void onFile(file)
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
