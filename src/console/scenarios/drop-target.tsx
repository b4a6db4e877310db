import { useEffect, useState } from 'preact/hooks'
import { useDocument } from './document.js'

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
