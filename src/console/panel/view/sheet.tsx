import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { operationIds } from '../../../service/operations/operations.js'
import type { PanelPosition } from '../../../transport/browser/panel-options.js'
import { QuotaAlert } from '../../alerts/quota-alert.js'
import { CopyTest, type LoadCreateTest } from '../../copies/copy-test.js'
import { EntryList } from '../../journal/entry-list.js'
import { emptyFilter } from '../../journal/filter.js'
import { JournalCard, useLog } from '../../journal/journal-card.js'
import type { EntryParts } from '../../journal/request-detail.js'
import { CopyButton } from '../../parts/copy-button.js'
import { FailureDetails } from '../../parts/failure-details.js'
import { CloseIcon, Notices } from '../../parts/notices.js'
import { ControlDenied } from '../../session/control-denied.js'
import { useSession } from '../../session/session.js'
import { ControlView } from './control-view.js'
import type { Layout, PanelSettings } from './settings.js'

const minimumSize = 200
const maximumSize = 1_000

const tabs = { control: 'Control', journal: 'Journal' } as const

type Tab = keyof typeof tabs

/** The open panel: a sheet at an edge of the window. Escape collapses it. */
export function Sheet(props: {
  settings: PanelSettings
  layout: Layout
  onLayout: (layout: Layout) => void
  takesFocus: boolean
  onCollapse: () => void
}) {
  const { settings, layout, onLayout, takesFocus, onCollapse } = props
  const [tab, setTab] = useState<Tab>('control')
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) content.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCollapse()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to keys of the controls inside.
    <div id="content" ref={content} class="content" tabIndex={-1} onKeyDown={onKeyDown}>
      <ResizeHandle
        layout={layout}
        position={settings.position}
        onResize={(size) => onLayout({ ...layout, size })}
      />
      <Head settings={settings} layout={layout} onLayout={onLayout} onCollapse={onCollapse} />
      <div class="tab-row">
        <TabList tabs={tabs} selected={tab} onSelect={setTab} />
        <Notices />
      </div>
      <TabContent tab={tab} loadCreateTest={settings.loadCreateTest} />
      {/* At the end, so that the buttons above stay under the pointer when it appears. */}
      <div class="world-bar" role="status">
        <QuotaAlert />
      </div>
    </div>
  )
}

/** The world of the panel, and how the panel is shown. */
function Head(props: {
  settings: PanelSettings
  layout: Layout
  onLayout: (layout: Layout) => void
  onCollapse: () => void
}) {
  const { settings, layout, onLayout, onCollapse } = props
  const { access, overview } = useSession()
  const scenario = overview?.scenario
  return (
    <header class="panel-head">
      <h2 class="unseen">petstore-sandbox</h2>
      <p class="hint">
        <b>{scenario ?? '…'}</b> · <code>{access.apiKey}</code> · {access.environment} ·{' '}
        <code>{settings.baseUrl}</code>
      </p>
      {settings.toLink && scenario && (
        <CopyButton text={settings.toLink(scenario)} label="Copy link" what="link to this state" />
      )}
      <button
        type="button"
        class="dock"
        onClick={() => onLayout({ ...layout, isAside: !layout.isAside })}
      >
        {layout.isAside
          ? `Dock ${settings.position.startsWith('top') ? 'above' : 'below'}`
          : 'Dock aside'}
      </button>
      <button
        type="button"
        class="dismiss"
        aria-label="Collapse the sandbox panel"
        onClick={onCollapse}
      >
        <CloseIcon />
      </button>
    </header>
  )
}

/** The inner edge of the sheet, which the pointer and the arrow keys move. */
function ResizeHandle(props: {
  layout: Layout
  position: PanelPosition
  onResize: (size: number) => void
}) {
  const { layout, position, onResize } = props
  const { isAside, size } = layout
  const resize = (wanted: number) =>
    onResize(Math.round(Math.min(maximumSize, Math.max(minimumSize, wanted))))
  const isAtStart = position.includes(isAside ? 'left' : 'top')
  const onPointerMove = ({ buttons, clientX, clientY }: PointerEvent) => {
    if (buttons === 0) return
    const [at, length] = isAside ? [clientX, innerWidth] : [clientY, innerHeight]
    resize(isAtStart ? at : length - at)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowLeft: 1, ArrowDown: -1, ArrowRight: -1 }[key]
    if (step !== undefined) resize(size + step * (isAtStart ? -20 : 20))
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

function TabContent(props: { tab: Tab; loadCreateTest: LoadCreateTest }) {
  const { tab, loadCreateTest } = props
  const { failure } = useSession()
  const isDenied = failure?.needs === 'permission'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <div class={`tab-content ${tab}`} role="tabpanel" aria-label={tabs[tab]} tabIndex={0}>
      {isDenied && <ControlDenied />}
      {failure && !isDenied && (
        <div role="alert" class="card bad">
          <FailureDetails failure={failure} />
        </div>
      )}
      {!failure && tab === 'control' && <ControlView />}
      {!failure && tab === 'journal' && <JournalView loadCreateTest={loadCreateTest} />}
    </div>
  )
}

/** Maximum number of shown journal entries. */
const maximumShown = 50

/** The newest entries of the journal. Each one can be copied as a test. */
function JournalView({ loadCreateTest }: { loadCreateTest: LoadCreateTest }) {
  const log = useLog(useState(emptyFilter))
  const parts = useMemo<EntryParts>(
    () => ({
      renderActions: (entry) => (
        <div class="actions">
          <CopyTest entry={entry} load={loadCreateTest} />
        </div>
      ),
    }),
    [loadCreateTest],
  )
  return (
    <JournalCard log={log} operationIds={operationIds}>
      <EntryList entries={log.matches.slice(0, maximumShown)} parts={parts} />
    </JournalCard>
  )
}

/** Tabs of which one is selected. The arrow keys select the next or the previous one. */
function TabList<Id extends string>(props: {
  /** Titles by id, in order. */
  tabs: Readonly<Record<Id, string>>
  selected: Id
  onSelect: (id: Id) => void
}) {
  const { tabs, selected, onSelect } = props
  const ids = Object.keys(tabs) as Id[] // the keys of the record
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = (ids.indexOf(selected) + step + ids.length) % ids.length
    onSelect(ids[at] ?? selected)
    event.currentTarget.querySelectorAll('button')[at]?.focus()
  }
  return (
    <div class="tab-list" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {tabs[id]}
        </button>
      ))}
    </div>
  )
}
