import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { WorldBar } from './alerts/world-bar.js'
import { RecordsView } from './data/data-view.js'
import { DocumentsProvider, documentPaths, useDocuments } from './documents/documents.js'
import { FaultsView } from './faults/faults-view.js'
import { ConsoleJournal } from './journal/console-journal.js'
import { EntryLink } from './journal/entry-detail.js'
import { OverviewView } from './overview/overview-view.js'
import { Notices } from './parts/notices.js'
import { ReferenceView } from './reference/reference-view.js'
import { ReportView } from './report/report-view.js'
import { type PageRoute, useRoute, type View, viewIds, views } from './routing/route.js'
import { DropTarget, type ScenarioDocument, useScenarioDocument } from './scenarios/document.js'
import { ScenariosView } from './scenarios/scenarios-view.js'
import { type Start, useStart } from './scenarios/start.js'
import { useAccess } from './session/access.js'
import { AccessBar } from './session/access-bar.js'
import { ControlDenied } from './session/control-denied.js'
import { SessionProvider, useSession } from './session/session.js'
import { TryView } from './try/try-view.js'

/** The whole page. */
function App() {
  // Called before the documents are loaded, so that the key is removed from the address bar immediately.
  const access = useAccess()
  return (
    <DocumentsProvider>
      {({ control }) => (
        <SessionProvider access={access} place={control}>
          <Page />
        </SessionProvider>
      )}
    </DocumentsProvider>
  )
}

const iconUrl = new URL('./icon.svg', import.meta.url).href

function Page() {
  const route = useRoute()
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to content
      </button>
      <header class="top">
        <div class="brand">
          <img src={iconUrl} alt="" width="32" height="32" />
          <div>
            <h1>petstore-sandbox</h1>
            <p class="hint">Pet Store Inventory Service</p>
          </div>
        </div>
        <AccessBar />
      </header>
      <div class="sticky">
        <Menu view={route.view} />
        <WorldBar renderLink={(id) => <EntryLink id={id} class="button" />} />
      </div>
      <div class="page" data-view={route.view}>
        <Main route={route} />
        <ConsoleJournal
          mainId={route.view === 'journal' ? mainId : undefined}
          entry={route.entry}
        />
      </div>
      <Notices />
    </>
  )
}

/** The navigation between the views. */
function Menu({ view }: { view: View }) {
  const { root } = useDocuments()
  return (
    <nav class="menu" aria-label="Views">
      <ul class="actions">
        {viewIds.map((id) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === view ? 'page' : undefined}>
              {views[id]}
            </a>
          </li>
        ))}
        <li class="apart">
          <a href={root + documentPaths.service}>OpenAPI</a>
        </li>
      </ul>
    </nav>
  )
}

/** The views that show nothing but the world. */
const worldViews: ReadonlySet<View> = new Set(['overview', 'data', 'report', 'scenarios', 'faults'])

function Main({ route }: { route: PageRoute }) {
  const { failure, overview } = useSession()
  const { view } = route
  const scenario = overview?.scenario
  // The states of views that outlive them.
  const start = useStart()
  const scenarioDocument = useScenarioDocument()
  useEffect(() => {
    document.title = [views[view], scenario, 'petstore-sandbox'].filter(Boolean).join(' · ')
  }, [view, scenario])
  useFocusOnChange(route)
  const problem = worldViews.has(view) ? failure : undefined
  return (
    // The journal is the main content of its view.
    <main id={view === 'journal' ? undefined : mainId} tabIndex={-1} aria-label={views[view]}>
      {problem?.needs === 'permission' && <ControlDenied />}
      {problem && problem.needs !== 'permission' && (
        <p class="empty">
          This world is shown when{' '}
          {problem.needs === 'key' ? 'the API key is valid' : 'the sandbox responds again'}.
        </p>
      )}
      {!problem?.needs && (
        // Hidden rather than removed, so that the forms keep what the user has typed.
        <div class="view" hidden={problem !== undefined}>
          <CurrentView route={route} start={start} document={scenarioDocument} />
        </div>
      )}
      <DropTarget onFile={scenarioDocument.openFile} />
    </main>
  )
}

/** Moves the focus and the page to the start of a view that the user has chosen. */
function useFocusOnChange({ view, assumption, entry }: PageRoute): void {
  const previous = useRef(view)
  // With the render: after the paint, it would take the focus from where the user has moved it.
  useLayoutEffect(() => {
    if (previous.current === view) return
    previous.current = view
    // The journal focuses the entry itself.
    if (entry !== undefined) return
    // The reference scrolls to the assumption itself.
    if (assumption === undefined) scrollTo(0, 0)
    focusMain()
  }, [view, assumption, entry])
}

function CurrentView(props: { route: PageRoute; start: Start; document: ScenarioDocument }) {
  const { route, start, document } = props
  const { view, operation, assumption } = route
  return (
    <>
      {view === 'overview' && <OverviewView start={start} />}
      {view === 'try' && <TryView id={operation} />}
      {view === 'data' && <RecordsView />}
      {view === 'report' && <ReportView />}
      {view === 'scenarios' && <ScenariosView start={start} document={document} />}
      {view === 'faults' && <FaultsView />}
      {view === 'reference' && <ReferenceView assumption={assumption} />}
    </>
  )
}

const mainId = 'main-content'

function focusMain(): void {
  document.getElementById(mainId)?.focus({ preventScroll: true })
}

const container = document.getElementById('console')
if (container) render(<App />, container)
