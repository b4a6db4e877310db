import { parseJson } from '../../service/json.js'
import type { Overview } from '../control-types.js'
import { useDraft } from '../parts/drafts.js'
import { readTab, writeTab } from '../session/tab-storage.js'

/** A text and where it comes from: `the running state of default`, or the name of a file. */
interface SourceText {
  readonly text: string
  readonly origin: string
}

/** A scenario that the user edits as JSON. */
export interface ScenarioDocument extends SourceText {
  readonly isEdited: boolean
  /** Whether the editor takes the focus when it is shown. */
  readonly takesFocus?: boolean
  /** The state of the world when it was loaded from it, as `toStamp` returns it. */
  readonly world?: string | undefined
  /** Message of the latest start, if it failed. */
  readonly failure?: string | undefined
  /** The edited text that this document has replaced. */
  readonly replaced?: SourceText | undefined
}

type Change = (update: (before: ScenarioDocument) => ScenarioDocument) => void

const storageName = 'petstore-sandbox.document'

/** Returns the document of the tab, and a function that changes it. */
export function useDocument(): readonly [document: ScenarioDocument, change: Change] {
  const [document, change] = useDraft('document', readStored)
  return [
    document,
    (update) =>
      change((before) => {
        const after = update(before)
        const { text, origin, isEdited, replaced } = after
        // A text that nobody has edited is a file or the state of the world.
        const stored = { ...(isEdited && { text, origin }), replaced }
        writeTab(storageName, JSON.stringify(stored))
        return after
      }),
  ]
}

function readStored(): ScenarioDocument {
  const { text, origin, replaced } = Object(parseJson(readTab(storageName))) // written by this file
  return { text: text ?? '', origin: origin ?? '', isEdited: text !== undefined, replaced }
}

/** Replaces the text. Retains the replaced one if the user has edited it. */
export function openText(
  { text, origin, isEdited, replaced }: ScenarioDocument,
  opened: SourceText & Pick<ScenarioDocument, 'world'>,
): ScenarioDocument {
  const kept = isEdited ? { text, origin } : replaced
  const hasKept = kept?.text !== opened.text
  return { ...opened, isEdited: false, takesFocus: true, replaced: hasKept ? kept : undefined }
}

/** Returns a string that changes when the state of the world does. */
export function toStamp({ generation, changes, counts }: Overview): string {
  return JSON.stringify([generation, changes, counts.faults])
}
