import type { PanelPosition } from '../panel-options.js'
import { overlayName, panelName } from './element-names.js'
import { overlayStyles } from './styles.js'

/** Displays failures and notes of the sandbox above the page. Styles apply in neither direction. */
class OverlayElement extends HTMLElement {
  readonly #root = this.attachShadow({ mode: 'open' })

  constructor() {
    super()
    // A style element could be blocked by the Content Security Policy of the page.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(overlayStyles)
    this.#root.adoptedStyleSheets = [sheet]
  }

  readonly #notes = createElement('div', {})

  addDialog(dialog: HTMLDialogElement): void {
    this.#root.append(dialog)
  }

  /** @param position Corner of all notes, unless the page has a panel. */
  addNote(note: HTMLElement, position: PanelPosition): void {
    this.#notes.className = `notes ${position}`
    this.#notes.append(note)
    this.#root.append(this.#notes)
  }
}

/** Returns the overlay of this page. Creates it on first use. */
export function openOverlay(): OverlayElement {
  if (!customElements.get(overlayName)) customElements.define(overlayName, OverlayElement)
  const found = document.querySelector(overlayName)
  const overlay = found instanceof OverlayElement ? found : new OverlayElement()
  // Not in the body, whose content a framework may replace. A panel shows its children beside its button.
  const parent = document.querySelector(panelName) ?? document.documentElement
  if (!overlay.isConnected) parent.append(overlay)
  return overlay
}

/** Creates an element with properties and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  Object.assign(element, properties)
  element.append(...children)
  return element
}

export function createButton(label: string, onclick: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', onclick }, label)
}
