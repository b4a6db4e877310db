import { useEffect } from 'preact/hooks'
import { MessageTable } from './data/message-table.js'
import { OrderTable } from './data/order-table.js'
import { PetTable } from './data/pet-table.js'
import { DocumentsProvider, useDocuments } from './documents/documents.js'
import { ConsoleJournal } from './journal/console-journal.js'
import { OverviewView } from './overview/overview-view.js'
import { InvalidKey } from './parts/invalid-key.js'
import { Menu } from './parts/menu.js'
import { Notices } from './parts/notices.js'
import { ReferenceView } from './reference/reference-view.js'
import { type PageRoute, useRoute, views } from './routing/route.js'
import { type AccessState, useAccess } from './session/access.js'
import { AccessBar } from './session/access-bar.js'
import { ControlDenied } from './session/control-denied.js'
import { FailureCard } from './session/failure-card.js'
import { SessionProvider, useSession } from './session/session.js'
import { SnapshotView } from './snapshot/snapshot-view.js'
import { TryView } from './try/try-view.js'

/** The whole page. */
export function App() {
  // Called before the documents are loaded, so that the key is removed from the address bar immediately.
  const access = useAccess()
  return (
    <DocumentsProvider>
      <World access={access} />
    </DocumentsProvider>
  )
}

function World({ access }: { access: AccessState }) {
  const { control } = useDocuments()
  return (
    <SessionProvider access={access} routes={control}>
      <Page />
    </SessionProvider>
  )
}

function Page() {
  const route = useRoute()
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to content
      </button>
      <header class="top">
        <Brand />
        <AccessBar />
      </header>
      <Menu view={route.view} />
      <div class="page" data-view={route.view}>
        <Main route={route} />
        <ConsoleJournal mainId={route.view === 'journal' ? mainId : undefined} />
      </div>
      <Notices />
    </>
  )
}

function Brand() {
  return (
    <div class="brand">
      <img src={iconUrl} alt="" width="32" height="32" />
      <div>
        <h1>petstore-sandbox</h1>
        <p>Inspect and control a world of the Pet Store Inventory Service sandbox.</p>
      </div>
    </div>
  )
}

const iconUrl = new URL('./icon.svg', import.meta.url).href

function Main({ route }: { route: PageRoute }) {
  const { failure } = useSession()
  const { view } = route
  useEffect(() => {
    document.title = `${views[view]} · petstore-sandbox`
  }, [view])
  const showsWorld = view === 'overview' || view === 'data' || view === 'snapshot'
  const kind = showsWorld ? failure?.kind : undefined
  return (
    // The journal is the main content of its view.
    <main id={view === 'journal' ? undefined : mainId} tabIndex={-1} aria-label={views[view]}>
      <FailureCard />
      {kind === 'unauthorized' && <InvalidKey />}
      {kind === 'denied' && <ControlDenied />}
      {kind !== 'unauthorized' && kind !== 'denied' && (
        // Hidden rather than removed, so that the forms keep what the user has typed.
        <div class="view" hidden={kind !== undefined}>
          <CurrentView route={route} />
        </div>
      )}
    </main>
  )
}

function CurrentView({ route: { view, operation, assumption } }: { route: PageRoute }) {
  return (
    <>
      {view === 'overview' && <OverviewView />}
      {view === 'try' && <TryView id={operation} />}
      {view === 'data' && (
        <>
          <PetTable />
          <OrderTable />
          <MessageTable />
        </>
      )}
      {view === 'snapshot' && <SnapshotView />}
      {view === 'reference' && <ReferenceView assumption={assumption} />}
    </>
  )
}

const mainId = 'main-content'

function focusMain(): void {
  document.getElementById(mainId)?.focus()
}
