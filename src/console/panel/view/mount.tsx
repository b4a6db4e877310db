import { render } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { overlayName, panelName } from '../../../transport/browser/overlay.js'
import { describeEffect } from '../../documents/fault-kinds.js'
import { useFaults } from '../../faults/fault-card.js'
import { SessionProvider, useSession } from '../../session/session.js'
import { useTabState } from '../../session/tab-storage.js'
import panelStyles from './panel.css?inline'
import { faultTitles } from './quick-faults.js'
import { type Layout, type PanelSettings, Sheet } from './sheet.js'

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

const initialLayout: Layout = { isOpen: false, isAside: false, size: 340 }

/** A line with the state of the world, or the sheet to which it expands. */
function Panel({ settings }: { settings: PanelSettings }) {
  const { access, place, fetcher, watch, position } = settings
  const [layout, setLayout] = useTabState('petstore-sandbox.panel', initialLayout)
  const { isOpen, isAside, size } = layout
  const section = useRef<HTMLElement>(null)
  const toggle = () => setLayout({ ...layout, isOpen: !isOpen })
  // A panel that is restored when the page is loaded does not take the focus.
  const shown = useRef(isOpen)
  useLayoutEffect(() => {
    if (shown.current !== isOpen)
      section.current?.querySelector<HTMLElement>('.content, .toggle')?.focus()
    shown.current = isOpen
  }, [isOpen])
  return (
    <SessionProvider access={useState(access)} place={place} fetcher={fetcher} watch={watch}>
      <section
        ref={section}
        class={`sandbox-panel ${position} ${isOpen ? 'open' : ''} ${isAside ? 'aside' : ''}`}
        style={{ '--size': `${size}px` }}
        aria-label="petstore-sandbox"
        lang="en"
        dir="ltr"
      >
        {isOpen ? (
          <Sheet settings={settings} layout={layout} onLayout={setLayout} onCollapse={toggle} />
        ) : (
          <Line onExpand={toggle} />
        )}
        {/* The notes of the page. */}
        <slot />
      </section>
    </SessionProvider>
  )
}

/** The scenario, the quota and the next fault in one line. */
function Line({ onExpand }: { onExpand: () => void }) {
  const { overview } = useSession()
  const { value: [fault] = [] } = useFaults()
  const { ban, minute } = overview?.quota ?? {}
  return (
    <button type="button" class="toggle" aria-expanded={false} onClick={onExpand}>
      <Icon />
      <span class="unseen">Sandbox panel: </span>
      <span>{overview?.scenario ?? '…'}</span>
      {minute && (
        <span class={ban || minute.remaining === 0 ? 'bad' : 'hint'}>
          {ban ? 'banned' : `${minute.remaining}/${minute.limit}`}
        </span>
      )}
      {fault && <span class="warn">{describeEffect(fault, faultTitles)}</span>}
    </button>
  )
}

function Icon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <g fill="currentcolor">
        <ellipse cx="2.7" cy="7.2" rx="1.7" ry="2.1" />
        <ellipse cx="6" cy="3.7" rx="1.7" ry="2.2" />
        <ellipse cx="10" cy="3.7" rx="1.7" ry="2.2" />
        <ellipse cx="13.3" cy="7.2" rx="1.7" ry="2.1" />
        <ellipse cx="8" cy="11.2" rx="4" ry="3.4" />
      </g>
    </svg>
  )
}
