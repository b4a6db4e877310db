import { useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { toHar } from './har.js'
import type { JournalLog } from './journal-panel.js'

/** Saves the entries that match as an HTTP Archive. */
export function ExportButton({ log }: { log: JournalLog }) {
  const documents = useDocuments()
  const { overview, notify } = useSession()
  const [isSaving, setSaving] = useState(false)
  const { matches, isDone } = log
  const save = async () => {
    setSaving(true)
    const parts: string[] = []
    for await (const part of toHar(matches, documents, overview?.version ?? '')) parts.push(part)
    saveFile('petstore-sandbox.har', parts)
    notify(`Saved ${matches.length.toLocaleString('en')} requests as petstore-sandbox.har.`)
    setSaving(false)
  }
  return (
    <button
      type="button"
      disabled={matches.length === 0 || !isDone || isSaving}
      onClick={() => void save()}
    >
      Export HAR
    </button>
  )
}
