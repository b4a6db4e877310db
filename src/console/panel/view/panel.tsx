import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { RemoteFetch } from '../../../control/client/client.js'
import type { PanelPosition } from '../../../transport/browser/panel-options.js'
import type { Access, ControlPlace } from '../../session/client.js'
import { SessionProvider } from '../../session/session.js'
import { readTab, writeTab } from '../../session/tab-storage.js'
import type { Watch } from '../../session/use-overview.js'
import { PanelContent } from './content.js'
import type { LoadCreateTest } from './journal-view.js'

/** What a panel shows, and how it reaches it. */
export interface PanelSettings {
  readonly access: Access
  readonly place: ControlPlace
  /** Base URL of the service, which a page uses. */
  readonly baseUrl: string
  readonly position: PanelPosition
  /** Sends the control requests. Default: the global `fetch`. */
  readonly fetcher?: RemoteFetch
  /** Calls a listener after each change of the world. Default: the world is read again regularly. */
  readonly watch?: Watch
  readonly loadCreateTest: LoadCreateTest
}

const contentId = 'content'

/** The button, and the panel that it opens. A closed panel sends no request. */
export function Panel({ settings }: { settings: PanelSettings }) {
  const { access, place, baseUrl, fetcher, watch, position, loadCreateTest } = settings
  const accessState = useState(access)
  const [isOpen, setOpen] = useOpenState()
  // A panel that is restored when the page is loaded does not take the focus.
  const [takesFocus, setTakesFocus] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const toggle = () => {
    setTakesFocus(true)
    setOpen(!isOpen)
  }
  return (
    <section
      class={`sandbox-panel ${position}${isOpen ? ' open' : ''}`}
      aria-label="petstore-sandbox"
      lang="en"
      dir="ltr"
    >
      <button
        ref={button}
        type="button"
        class="toggle"
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        aria-label="Sandbox panel"
        onClick={toggle}
      >
        <Icon />
        Sandbox
      </button>
      {/* The notes of the page. */}
      <slot />
      {isOpen && (
        <SessionProvider access={accessState} place={place} fetcher={fetcher} watch={watch}>
          <PanelContent
            id={contentId}
            baseUrl={baseUrl}
            takesFocus={takesFocus}
            loadCreateTest={loadCreateTest}
            onClose={close}
          />
        </SessionProvider>
      )}
    </section>
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

const storageName = 'petstore-sandbox.panel'

/** Returns whether the panel is open. The tab retains the state. */
function useOpenState(): readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => readTab(storageName) === 'open')
  useLayoutEffect(() => writeTab(storageName, isOpen ? 'open' : 'closed'), [isOpen])
  return [isOpen, setOpen]
}
