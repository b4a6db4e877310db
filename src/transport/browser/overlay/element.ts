import { overlayStyles } from './styles.js'

const tagName = 'petstore-sandbox-overlay'

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

  add(element: HTMLElement): void {
    this.#root.append(element)
  }
}

/** Adds an element to the overlay of this page. Creates the overlay on first use. */
export function addToOverlay(element: HTMLElement): void {
  if (!customElements.get(tagName)) customElements.define(tagName, OverlayElement)
  const found = document.querySelector(tagName)
  const overlay = found instanceof OverlayElement ? found : new OverlayElement()
  // Outside the body, whose content a framework may replace.
  if (!overlay.isConnected) document.documentElement.append(overlay)
  overlay.add(element)
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
