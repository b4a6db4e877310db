import { useState } from 'preact/hooks'
import type { RemoteFetch } from '../../../control/client/client.js'
import type { PanelPosition } from '../../../transport/browser/panel-options.js'
import { QuotaAlert } from '../../alerts/quota-alert.js'
import type { JournalEntry } from '../../control-types.js'
import { CopyTest, type LoadCreateTest } from '../../copies/copy-test.js'
import { EntryList } from '../../journal/entry-list.js'
import { emptyFilter } from '../../journal/filter.js'
import { JournalCard, useLog } from '../../journal/journal-card.js'
import { CopyButton } from '../../parts/copy-button.js'
import { DismissButton, Notices } from '../../parts/notices.js'
import type { Access, ControlPlace } from '../../session/client.js'
import { ControlDenied } from '../../session/control-denied.js'
import { toSentences } from '../../session/failure.js'
import { useSession } from '../../session/session.js'
import type { Watch } from '../../session/use-overview.js'
import { ControlView } from './control-view.js'

/** What a panel shows, and how it reaches it. */
export interface PanelSettings {
  readonly access: Access
  readonly place: ControlPlace
  /** Base URL of the service, which a page uses. */
  readonly baseUrl: string
  readonly position: PanelPosition
  /** Returns a link to the running scenario or to its world. Default: there is none. */
  readonly toLink?: ((scenario: string) => string) | undefined
  /** Sends the control requests. Default: the global `fetch`. */
  readonly fetcher?: RemoteFetch
  /** Calls a listener after each change of the world. Default: the world is read again regularly. */
  readonly watch?: Watch
  readonly loadCreateTest: LoadCreateTest
}

/** How the panel is shown. */
export interface Layout {
  readonly isOpen: boolean
  /** Whether the sheet is at the right side of the page rather than at its bottom. */
  readonly isAside: boolean
  /** Height of a sheet at the bottom, or width of one at the side, in pixels. */
  readonly size: number
}

interface SheetProps {
  readonly settings: PanelSettings
  readonly layout: Layout
  readonly onLayout: (layout: Layout) => void
  readonly onCollapse: () => void
}

const tabs = ['Control', 'Journal'] as const

/** The open panel: a sheet at an edge of the window. Escape collapses it. */
export function Sheet(props: SheetProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('Control')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to keys of the controls inside.
    <div
      id="content"
      class="content"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && props.onCollapse()}
    >
      <ResizeHandle {...props} />
      <Head {...props} />
      <div class="tab-row">
        <nav aria-label="Views">
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === tab}
              onClick={() => setTab(name)}
            >
              {name}
            </button>
          ))}
        </nav>
        <Notices />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <section class="tab-content columns" aria-label={`View: ${tab}`} tabIndex={0}>
        <TabContent tab={tab} loadCreateTest={props.settings.loadCreateTest} />
      </section>
      {/* At the end, so that the buttons above stay under the pointer when it appears. */}
      <div role="status">
        <QuotaAlert />
      </div>
    </div>
  )
}

/** The world of the panel, and how the panel is shown. */
function Head({ settings, layout, onLayout, onCollapse }: SheetProps) {
  const { access, overview } = useSession()
  const { toLink, baseUrl } = settings
  const { isAside } = layout
  const scenario = overview?.scenario
  return (
    <header class="actions">
      <h2 class="unseen">petstore-sandbox</h2>
      <p class="hint grow">
        <b>{scenario ?? '…'}</b> · <code>{access.apiKey}</code> · {access.environment} ·{' '}
        <code>{baseUrl}</code>
      </p>
      {toLink && scenario && (
        <CopyButton text={toLink(scenario)} label="Copy link" what="link to this state" />
      )}
      <button type="button" class="dock" onClick={() => onLayout({ ...layout, isAside: !isAside })}>
        {isAside ? 'Dock below' : 'Dock aside'}
      </button>
      <DismissButton label="Collapse the sandbox panel" onClick={onCollapse} />
    </header>
  )
}

const minimumSize = 200
const maximumSize = 1_000

/** The inner edge of the sheet, which the pointer and the arrow keys move. */
function ResizeHandle({ layout, onLayout }: SheetProps) {
  const { isAside, size } = layout
  const resize = (wanted: number) => {
    const within = Math.min(maximumSize, Math.max(minimumSize, wanted))
    onLayout({ ...layout, size: Math.round(within) })
  }
  const onPointerMove = ({ buttons, clientX, clientY }: PointerEvent) => {
    if (buttons > 0) resize(isAside ? innerWidth - clientX : innerHeight - clientY)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = { ArrowUp: 20, ArrowLeft: 20, ArrowDown: -20, ArrowRight: -20 }[key]
    if (step !== undefined) resize(size + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator resizes what it separates.
    <div
      class="handle"
      role="separator"
      tabIndex={0}
      aria-label="Size of the panel"
      aria-orientation={isAside ? 'vertical' : 'horizontal'}
      aria-valuemin={minimumSize}
      aria-valuemax={maximumSize}
      aria-valuenow={size}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  )
}

function TabContent(props: { tab: (typeof tabs)[number]; loadCreateTest: LoadCreateTest }) {
  const { failure } = useSession()
  if (failure?.needs === 'permission') return <ControlDenied />
  if (failure) {
    return (
      <div role="alert" class="card bad">
        <p>{toSentences(failure)}</p>
      </div>
    )
  }
  return props.tab === 'Control' ? <ControlView /> : <JournalView load={props.loadCreateTest} />
}

/** Maximum number of shown journal entries. */
const maximumShown = 50

/** The newest entries of the journal. Each one can be copied as a test. */
function JournalView({ load }: { load: LoadCreateTest }) {
  const log = useLog(useState(emptyFilter))
  const renderActions = (entry: JournalEntry) => (
    <div class="actions">
      <CopyTest entry={entry} load={load} />
    </div>
  )
  return (
    <JournalCard log={log}>
      <EntryList entries={log.matches.slice(0, maximumShown)} parts={{ renderActions }} />
    </JournalCard>
  )
}
