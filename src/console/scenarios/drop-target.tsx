import { useEffect, useRef, useState } from 'preact/hooks'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useOpenDocument } from './use-document.js'

/** Lets the user drop a scenario file anywhere on the page. It is opened in the editor. */
export function DropTarget() {
  const openFile = useOpenFile()
  const { notify } = useSession()
  const isDragging = useFileDrop((files) => {
    const [file, ...others] = files
    if (!file) notify('Drop a scenario file; text can be pasted in the editor.', 'error')
    else if (others.length > 0) {
      notify(`Drop one file at a time, found ${files.length} files.`, 'error')
    } else void openFile(file)
  })
  if (!isDragging) return null
  return (
    <div class="drop-target" aria-hidden="true">
      <p>Drop a scenario file to open it in the editor</p>
    </div>
  )
}

/** Returns a function that opens a file in the editor and shows the scenarios. */
export function useOpenFile(): (file: File) => Promise<void> {
  const open = useOpenDocument()
  const { notify } = useSession()
  return async (file) => {
    try {
      const text = await readScenarioText(file)
      open({ text, origin: file.name })
      location.hash = '#scenarios'
      notify(`Opened ${file.name} in the editor.`)
    } catch (error) {
      notify(`${toFailure(error).message}.`, 'error')
    }
  }
}

/** Returns whether a file is being dragged over the page. */
function useFileDrop(onDrop: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    const stop = listen((event) => {
      const hasFiles = event.dataTransfer?.types.includes('Files') ?? false
      // Text can be dropped in a field.
      if (!hasFiles && isEditable(event.target)) return
      if (event.type === 'dragleave') {
        if (event.relatedTarget === null) setDragging(false)
        return
      }
      event.preventDefault()
      setDragging(hasFiles && event.type !== 'drop')
      if (event.type === 'drop') latest.current([...(event.dataTransfer?.files ?? [])])
    })
    return stop
  }, [])
  return isDragging
}

function listen(listener: (event: DragEvent) => void): () => void {
  const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
  for (const type of types) addEventListener(type, listener)
  return () => {
    for (const type of types) removeEventListener(type, listener)
  }
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea')
}

/** Maximum size of a control request, in bytes. */
const maximumBytes = 8 * 1024 * 1024

/**
 * Reads a scenario file. Its JSON can have errors.
 *
 * @throws {Error} If the file is too large, is not text, or does not begin like JSON.
 */
export async function readScenarioText(file: File): Promise<string> {
  const name = JSON.stringify(file.name)
  if (file.size > maximumBytes) {
    const found = `${(file.size / 1024 / 1024).toFixed(1)} MiB`
    throw new Error(`${name} must have at most 8 MiB, which the sandbox accepts, found ${found}`)
  }
  const text = await file.text().catch(() => {
    throw new Error(`${name} could not be read; drop a file, not a folder`)
  })
  const json = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const first = json.trim().charAt(0)
  if (first === '') throw new Error(`${name} must be a scenario file, found an empty file`)
  if ('{["'.includes(first)) return json
  throw new Error(`${name} must be JSON, which begins with {, found ${JSON.stringify(first)}`)
}
