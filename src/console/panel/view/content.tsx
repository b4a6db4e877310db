import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { QuotaAlert } from '../../alerts/quota-alert.js'
import { useRecordedWorld } from '../../journal/starts.js'
import { FailureDetails } from '../../parts/failure-details.js'
import { CloseIcon, Notices } from '../../parts/notices.js'
import { ControlDenied } from '../../session/control-denied.js'
import { useSession } from '../../session/session.js'
import { ControlView } from './control-view.js'
import { JournalView, type LoadCreateTest } from './journal-view.js'

const tabs = { control: 'Control', journal: 'Journal' } as const

type Tab = keyof typeof tabs

/** The open panel. Escape closes it. */
export function PanelContent(props: {
  id: string
  baseUrl: string
  takesFocus: boolean
  loadCreateTest: LoadCreateTest
  onClose: () => void
}) {
  const { id, baseUrl, takesFocus, loadCreateTest, onClose } = props
  const { access, overview } = useSession()
  const [tab, setTab] = useState<Tab>('control')
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) content.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to keys of the controls inside.
    <div id={id} ref={content} class="content" tabIndex={-1} onKeyDown={onKeyDown}>
      <header class="panel-head">
        <h2>petstore-sandbox</h2>
        <p class="hint">
          <code>{access.apiKey}</code> · {access.environment} · {overview?.scenario ?? '…'}
          <br />
          <code>{baseUrl}</code>
        </p>
        <button
          type="button"
          class="close dismiss"
          aria-label="Close the sandbox panel"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </header>
      <TabList tabs={tabs} selected={tab} onSelect={setTab} />
      <div class="panel-body">
        <TabContent tab={tab} loadCreateTest={loadCreateTest} />
        <Notices />
      </div>
      {/* At the end, so that the buttons above stay under the pointer when it appears. */}
      <div class="world-bar" role="status">
        <QuotaAlert />
      </div>
    </div>
  )
}

function TabContent(props: { tab: Tab; loadCreateTest: LoadCreateTest }) {
  const { tab, loadCreateTest } = props
  const { failure } = useSession()
  const readWorld = useRecordedWorld()
  const isDenied = failure?.needs === 'permission'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <div class="tab-content" role="tabpanel" aria-label={tabs[tab]} tabIndex={0}>
      {isDenied && <ControlDenied />}
      {failure && !isDenied && (
        <div role="alert" class="card bad">
          <FailureDetails failure={failure} />
        </div>
      )}
      {!failure && tab === 'control' && <ControlView />}
      {!failure && tab === 'journal' && (
        <JournalView readWorld={readWorld} loadCreateTest={loadCreateTest} />
      )}
    </div>
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
