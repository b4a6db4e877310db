import type { PanelPosition } from '../panel-options.js'
import type { StartedWorker } from '../worker.js'
import { updateAdvice } from '../worker-failure.js'
import { createButton, createElement, openOverlay } from './element.js'

/** A short text above the page, with buttons. */
export interface Note {
  readonly text: string
  /** Its button also removes the note. */
  readonly action?: { readonly label: string; run(): void } | undefined
  /** The option of the sandbox. */
  readonly overlay: boolean | PanelPosition | undefined
  /** Whether an open panel shows the same, so that the note is hidden. */
  readonly isInPanel?: boolean
}

/** Shows a note, which does not prevent the use of the page. Returns a function that removes it. */
export function showNote({ text, action, overlay, isInPanel = false }: Note): () => void {
  const remove = () => note.remove()
  const buttons = [createButton('Dismiss', remove)]
  if (action) {
    const run = () => {
      remove()
      action.run()
    }
    buttons.unshift(createButton(action.label, run))
  }
  const note = createElement(
    'div',
    { className: isInPanel ? 'note in-panel' : 'note', role: 'alert' },
    createElement('p', {}, text),
    createElement('div', { className: 'actions' }, ...buttons),
  )
  openOverlay().addNote(note, typeof overlay === 'string' ? overlay : 'bottom-left')
  return remove
}

/** Shows a note about a worker script of another version of msw. */
export function showOutdated({ url, outdated }: StartedWorker, overlay: Note['overlay']): void {
  const found = `The worker script ${url} is from msw ${outdated}, and the page uses another version.`
  showNote({ text: `${found} ${updateAdvice}`, overlay })
}
