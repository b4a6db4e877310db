import { ScenarioError } from '../../world/scenario/error.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { PanelPosition } from './panel-options.js'
import type { StartedWorker } from './worker.js'
import { updateAdvice } from './worker-failure.js'

/** Name of the element that contains a panel. */
export const panelName = 'petstore-sandbox-panel'

/** Name of the element that contains failures and notes. In a page with a panel, a child of the panel. */
export const overlayName = 'petstore-sandbox-overlay'

/**
 * Shows why a sandbox could not be started, and the next step, in a dialog above the page.
 *
 * @param library Has the known scenarios.
 * @param parameter Name of the parameter in the URL of the page that names the scenario.
 */
export function showFailure(
  error: unknown,
  library: ScenarioLibrary,
  parameter: string | undefined,
): void {
  const message = error instanceof Error ? error.message : String(error)
  const dialog = createElement(
    'dialog',
    { role: 'alertdialog' },
    createElement('h2', { id: 'title' }, 'The Pet Store sandbox could not be started'),
    createElement('p', { className: 'message', id: 'message' }, message),
    ...(error instanceof ScenarioError ? createScenarioList(library.names(), parameter) : []),
    createElement(
      'div',
      { className: 'actions' },
      createButton('Reload', () => location.reload()),
      createButton('Close', () => dialog.close()),
    ),
  )
  dialog.setAttribute('aria-labelledby', 'title')
  dialog.setAttribute('aria-describedby', 'message')
  dialog.onclose = () => dialog.remove()
  openOverlay().append(dialog)
  dialog.showModal()
}

/** Lists the known scenarios: as links that start them, if the URL can name a scenario. */
function createScenarioList(names: readonly string[], parameter: string | undefined) {
  const items = names.map((name) => {
    if (parameter === undefined) return createElement('span', {}, name)
    const url = new URL(location.href)
    url.searchParams.set(parameter, name)
    return createElement('a', { href: url.href }, name)
  })
  const heading = parameter === undefined ? 'Known scenarios:' : 'Start a known scenario:'
  const list = items.map((item) => createElement('li', {}, item))
  return [createElement('p', {}, heading), createElement('ul', {}, ...list)]
}

/** A short text above the page, with buttons. */
export interface Note {
  readonly text: string
  /** Its button also removes the note. */
  readonly action?: { readonly label: string; run(): void } | undefined
  /** The option of the sandbox. */
  readonly overlay: boolean | PanelPosition | undefined
  /** Whether an open panel shows the same message, so that the note is hidden. */
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
  const root = openOverlay()
  const notes = root.querySelector('.notes') ?? root.appendChild(createElement('div', {}))
  notes.className = `notes ${typeof overlay === 'string' ? overlay : 'bottom-left'}`
  notes.append(note)
  return remove
}

/** Shows a note about a worker script of another version of msw. */
export function showOutdated({ url, outdated }: StartedWorker, overlay: Note['overlay']): void {
  const found = `The worker script ${url} is from msw ${outdated}, and the page uses another version.`
  showNote({ text: `${found} ${updateAdvice}`, overlay })
}

/** Returns the content of the overlay of this page. Creates it on first use. Styles are isolated. */
function openOverlay(): ShadowRoot {
  const overlay = document.querySelector(overlayName) ?? document.createElement(overlayName)
  // Not in the body, whose content a framework may replace. A panel shows its children beside its
  // button.
  const parent = document.querySelector(panelName) ?? document.documentElement
  if (!overlay.isConnected) parent.append(overlay)
  if (overlay.shadowRoot) return overlay.shadowRoot
  const root = overlay.attachShadow({ mode: 'open' })
  // A style element could be blocked by the Content Security Policy of the page.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  return root
}

/** Creates an element with properties and children. */
function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

function createButton(label: string, onclick: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', onclick }, label)
}

/** Styles of the overlay. The contrast of text is at least 4.5 to 1 in both color schemes. */
const styles = `
:host {
  all: initial;
  color-scheme: light dark;
  --surface: light-dark(#fff, #1d2229);
  --text: light-dark(#1b1f24, #e8ebef);
  --line: light-dark(#868f9a, #737d89);
  --accent: light-dark(#0b57b0, #8ec1ff);
  --code: light-dark(#f1f3f5, #12161b);
}
*, ::before, ::after { box-sizing: border-box; }
dialog, .note {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  color: var(--text);
  font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
dialog {
  width: min(44rem, calc(100vw - 2rem));
  max-height: calc(100vh - 2rem);
  padding: 1.25rem;
  overflow: auto;
}
dialog::backdrop { background: rgb(0 0 0 / 55%); }
h2 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: 0 0 0.75rem; }
.message {
  margin: 0 0 1rem;
  padding: 0.75rem;
  border-radius: 6px;
  background: var(--code);
  font: 14px/1.5 ui-monospace, monospace;
  white-space: pre-wrap;
}
ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
li > * { display: inline-block; padding: 0.125rem 0; }
a { color: var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button {
  min-height: 2.25rem;
  padding: 0.25rem 0.875rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
/* The panel sets the variables. */
.notes {
  position: var(--notes-position, fixed);
  z-index: 2147483646;
  display: grid;
  gap: 0.5rem;
  width: min(26rem, calc(100vw - 2rem));
}
[class*=top-] { top: 1rem; }
[class*=bottom-] { bottom: 1rem; }
[class*=-left] { left: 1rem; }
[class*=-right] { right: 1rem; }
.note {
  padding: 0.875rem;
  box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
  font-size: 15px;
}
.in-panel { display: var(--notes-display, block); }
`
