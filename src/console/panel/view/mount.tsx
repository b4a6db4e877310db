import { render } from 'preact'
import { overlayName, panelName } from '../../../transport/browser/overlay.js'
import panelStyles from './panel.css?inline'
import { Panel } from './panel.js'
import type { PanelSettings } from './sheet.js'

/** Name of the event that removes a panel. */
const closeEvent = 'petstore-sandbox-close'

/**
 * Events inside the panel that the page does not receive: otherwise its shortcuts would react to
 * what is typed, and its dialogs would close or take the focus back.
 */
const keptEvents = [
  'keydown',
  'keyup',
  'keypress',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'touchstart',
  'touchend',
  'click',
  'focusin',
  'focusout',
  'beforeinput',
  'input',
  'change',
  'copy',
  'cut',
  'paste',
]

/**
 * Adds a panel to the page. Replaces one that is already there, for example after a hot reload.
 * Returns a function that removes it.
 */
export function mountPanel(settings: PanelSettings): { close(): void } {
  for (const open of document.querySelectorAll(panelName)) {
    open.dispatchEvent(new Event(closeEvent))
  }
  const host = document.createElement(panelName)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createStyles()]
  for (const type of keptEvents) host.addEventListener(type, (event) => event.stopPropagation())
  const close = () => {
    render(null, root)
    host.replaceWith(...host.children)
  }
  host.addEventListener(closeEvent, close)
  // Outside of the body, which frameworks replace and whose styles would move a fixed element.
  document.documentElement.append(host)
  host.append(document.querySelector(overlayName) ?? '')
  render(<Panel settings={settings} />, root)
  return { close }
}

/**
 * Creates the style sheet of the panel. A constructed style sheet is permitted by any
 * Content-Security-Policy.
 */
function createStyles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  // A rem is relative to the font size of the page, which must not affect the panel.
  sheet.replaceSync(
    panelStyles.replace(/(\d*\.?\d+)rem\b/g, (_, size: string) => `${Number(size) * 16}px`),
  )
  return sheet
}
