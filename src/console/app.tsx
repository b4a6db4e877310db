import { useEffect } from 'preact/hooks'
import { DataTables } from './data/data-tables.js'
import { JournalPanel } from './journal/journal-panel.js'
import { OverviewView } from './overview/overview-view.js'
import { ConnectionNotice } from './parts/connection-notice.js'
import { Menu } from './parts/menu.js'
import { Refused } from './parts/refused.js'
import { ReferenceView } from './reference/reference-view.js'
import { type PageRoute, views } from './routing/route.js'
import { useRoute } from './routing/use-route.js'
import { AccessBar } from './session/access-bar.js'
import { SessionProvider, useSession } from './session/session.js'
import { SnapshotView } from './snapshot/snapshot-view.js'
import { TryView } from './try/try-view.js'

/** The whole page: who asks, where to go, one view, and the journal beside it. */
export function App() {
  const route = useRoute()
  return (
    <SessionProvider>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <header class="top">
        <div class="brand">
          <img src={iconUrl} alt="" width="32" height="32" />
          <div>
            <h1>petstore-sandbox</h1>
            <p>A stand-in for the Pet Store Inventory Service: see and steer a world of it.</p>
          </div>
        </div>
        <AccessBar />
      </header>
      <Menu view={route.view} />
      <div class="page" data-view={route.view}>
        <Main route={route} />
        <JournalPanel />
      </div>
      <ConnectionNotice />
    </SessionProvider>
  )
}

const iconUrl = new URL('./icon.svg', import.meta.url).href

function Main({ route }: { route: PageRoute }) {
  const { failure } = useSession()
  const { view, operation, assumption } = route
  useEffect(() => {
    document.title = `${views[view]} · petstore-sandbox`
  }, [view])
  const showsWorld = view === 'overview' || view === 'data' || view === 'snapshot'
  const isRefused = failure?.kind === 'refused' && showsWorld
  return (
    <main id={mainId} tabIndex={-1} aria-label={views[view]}>
      {isRefused && <Refused />}
      {!isRefused && view === 'overview' && <OverviewView />}
      {!isRefused && view === 'data' && <DataTables />}
      {!isRefused && view === 'snapshot' && <SnapshotView />}
      {view === 'try' && <TryView operation={operation} />}
      {view === 'reference' && <ReferenceView assumption={assumption} />}
    </main>
  )
}

const mainId = 'main-content'

function focusMain(): void {
  document.getElementById(mainId)?.focus()
}
