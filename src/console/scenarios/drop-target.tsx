import { useEffect, useState } from 'preact/hooks'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { openText, useDocument } from './document.js'

/** Lets the user drop a scenario file anywhere on the page. It is opened in the editor. */
export function DropTarget() {
  const openFile = useOpenFile()
  const { notify } = useSession()
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      const { type, target, dataTransfer } = event
      const hasFiles = dataTransfer?.types.includes('Files') ?? false
      // Text can be dropped in a field.
      if (!hasFiles && target instanceof Element && target.matches('input, textarea')) return
      if (type === 'dragleave') {
        if (event.relatedTarget === null) setDragging(false)
        return
      }
      event.preventDefault()
      setDragging(hasFiles && type !== 'drop')
      if (type !== 'drop') return
      const files = Array.from(dataTransfer?.files ?? [])
      const [file] = files
      if (!file) notify('Drop a scenario file; text can be pasted in the editor.', 'error')
      else if (files.length > 1) {
        notify(`Drop one file at a time, found ${files.length} files.`, 'error')
      } else void openFile(file)
    }
    const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const type of types) addEventListener(type, onDrag)
    return () => {
      for (const type of types) removeEventListener(type, onDrag)
    }
  }, [openFile, notify])
  if (!isDragging) return null
  return (
    <div class="drop-target" aria-hidden="true">
      <p>Drop a scenario file to open it in the editor</p>
    </div>
  )
}

/** Returns a function that opens a file in the editor and shows the scenarios. */
export function useOpenFile(): (file: File) => Promise<void> {
  const [, change] = useDocument()
  const { notify } = useSession()
  return async (file) => {
    try {
      const text = await readScenarioText(file)
      change((before) => openText(before, { text, origin: file.name }))
      location.hash = '#scenarios'
      notify(`Opened ${file.name} in the editor.`)
    } catch (error) {
      notify(`${toFailure(error).message}.`, 'error')
    }
  }
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
