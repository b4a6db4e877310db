import { parseJson } from '../../service/json.js'
import type { Overview } from '../control-types.js'
import { useDraft } from '../parts/drafts.js'
import { useSession } from '../session/session.js'
import { readTab, writeTab } from '../session/tab-storage.js'

/** A scenario that the user edits as JSON. */
export interface ScenarioDocument {
  /** Changes when another text replaces the whole document. */
  readonly id: number
  readonly text: string
  /** Where the text comes from: `the running state of default`, or the name of a file. */
  readonly origin: string
  readonly isEdited: boolean
  /** Whether the editor takes the focus when it is shown. */
  readonly takesFocus?: boolean
  /** The world that has the same state as the document as it was loaded. */
  readonly world?: WorldStamp | 'next' | undefined
  /** Message of the latest start, if it failed. */
  readonly failure?: string | undefined
  /** Edited documents that were replaced, the latest first. */
  readonly earlier: readonly EarlierDocument[]
}

type OpenedDocument = EarlierDocument & Partial<Pick<ScenarioDocument, 'world' | 'isEdited'>>

type EarlierDocument = Pick<ScenarioDocument, 'text' | 'origin'>

/** Changes when the data of a world changes. */
interface WorldStamp {
  readonly generation: number
  /** Numbers of changes and of faults. */
  readonly changes: string
}

type Change = (update: (before: ScenarioDocument) => ScenarioDocument) => void

/** Number of characters above which a text field is too slow: to open 400,000 takes a second. */
const maximumEditable = 200_000

const storageName = 'petstore-sandbox.document'

/** Returns the document of the tab, and a function that changes it. */
export function useDocument(): readonly [document: ScenarioDocument, change: Change] {
  const [document, change] = useDraft('document', readStored)
  return [
    document,
    (update) =>
      change((before) => {
        const after = update(before)
        if (after !== before) store(after)
        return after
      }),
  ]
}

const empty: ScenarioDocument = { id: 0, text: '', origin: '', isEdited: false, earlier: [] }

function readStored(): ScenarioDocument {
  const stored = parseJson(readTab(storageName))
  const [first, ...earlier] = Array.isArray(stored) ? stored.filter(isEarlier) : []
  return first ? { ...empty, ...first, isEdited: first.origin !== '', earlier } : empty
}

function isEarlier(value: unknown): value is EarlierDocument {
  const { text, origin }: Partial<Record<string, unknown>> = Object(value)
  return typeof text === 'string' && typeof origin === 'string'
}

/** A document that is too large is a file, or the state of the world, and need not be stored. */
function store(document: ScenarioDocument): void {
  const { text, origin, earlier } = document
  const current = isTooLarge(document) ? { text: '', origin: '' } : { text, origin }
  writeTab(storageName, JSON.stringify([current, ...earlier]))
}

/** Whether a document is not shown in an editor. While it is edited, the editor stays. */
export function isTooLarge({ text, isEdited }: ScenarioDocument): boolean {
  return !isEdited && text.length > maximumEditable
}

/** Number of replaced documents that are kept. */
const maximumEarlier = 5

/** Replaces the document by another one. Keeps the replaced one if the user has edited it. */
export function openDocument(
  { text, origin, ...before }: ScenarioDocument,
  opened: OpenedDocument,
): ScenarioDocument {
  const edited = before.isEdited ? [{ text, origin }, ...before.earlier] : before.earlier
  return {
    isEdited: false,
    ...opened,
    id: before.id + 1,
    takesFocus: true,
    earlier: edited.filter((kept) => kept.text !== opened.text).slice(0, maximumEarlier),
  }
}

/** Failures to start from a document, which the list below it explains. */
export const documentFailures = {
  syntax: 'The document is not JSON; the list below it says where.',
  refused: 'The world did not change; the list below the document says why',
} as const

/** Returns a function that replaces the document, and removes the failures of the previous one. */
export function useOpenDocument(): (opened: OpenedDocument) => void {
  const [, change] = useDocument()
  const { notices, dismiss } = useSession()
  return (opened) => {
    change((before) => openDocument(before, opened))
    for (const { id, text } of notices) {
      if (Object.values(documentFailures).some((failure) => text.startsWith(failure))) dismiss(id)
    }
  }
}

/** Returns what {@link hasChanged} compares; undefined until the world is known. */
export function toStamp(overview: Overview | undefined): WorldStamp | undefined {
  if (!overview) return undefined
  const { generation, changes, counts } = overview
  return { generation, changes: JSON.stringify([changes, counts.faults]) }
}

/** Whether a world has another state than before. */
export function hasChanged(before: WorldStamp, now: WorldStamp): boolean {
  return before.generation !== now.generation || before.changes !== now.changes
}
