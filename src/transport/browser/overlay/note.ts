import { addToOverlay, createButton, createElement } from './element.js'

/** A short text above the page, with buttons. */
export interface Note {
  readonly text: string
  /** Its button also removes the note. */
  readonly action?: { readonly label: string; run(): void } | undefined
}

/** Shows a note, which does not prevent the use of the page. Returns a function that removes it. */
export function showNote({ text, action }: Note): () => void {
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
    { className: 'note', role: 'alert' },
    createElement('p', {}, text),
    createElement('div', { className: 'actions' }, ...buttons),
  )
  addToOverlay(note)
  return remove
}
