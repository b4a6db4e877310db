import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import type { RemoteFetch } from '../../control/client/client.js'
import type { Overview } from '../control-types.js'
import { type LiveJournal, useJournal } from '../journal/use-journal.js'
import type { AccessState } from './access.js'
import { type Access, type ControlPlace, PageClient } from './client.js'
import { type Failure, toFailure, toSentences } from './failure.js'
import { type Notices, useNotices } from './use-notice.js'
import { useOverview, type Watch } from './use-overview.js'
import { type Point, usePoints } from './use-points.js'

/** State and actions that the components share. */
export interface Session extends Notices {
  readonly access: Access
  setAccess(access: Access): void
  readonly client: PageClient
  /** Undefined until the first response for this key. */
  readonly overview: Overview | undefined
  /** Failure of the latest request for the overview; undefined after a success. */
  readonly failure: Failure | undefined
  /** Requests the overview again. */
  refresh(): void
  readonly journal: LiveJournal
  /** Changes whenever the data of the world may have changed; used as a cache key. */
  readonly revision: string
  /** Snapshots of the world, oldest first. */
  readonly points: { readonly current: readonly Point[] }
  /**
   * Runs an action of the control API, shows its success or failure, and refreshes the overview.
   * Returns whether it succeeded.
   */
  act(done: string, action: () => Promise<unknown>): Promise<boolean>
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Provides the session to its children. */
export function SessionProvider(props: {
  access: AccessState
  place: ControlPlace
  /** Sends the control requests. Must be the same function on each render. Default: `fetch`. */
  fetcher?: RemoteFetch | undefined
  watch?: Watch | undefined
  children: ComponentChildren
}) {
  const { place, fetcher, watch } = props
  const [access, setAccess] = props.access
  const client = useMemo(() => new PageClient(place, access, fetcher), [place, access, fetcher])
  const journal = useJournal(client)
  const { overview, failure, refresh } = useOverview(client, journal, watch)
  const notices = useNotices()
  const [actions, setActions] = useState(0)
  const act: Session['act'] = async (done, action) => {
    try {
      await action()
      notices.notify(done)
      return true
    } catch (error) {
      notices.notify(toSentences(toFailure(error)), 'error')
      return false
    } finally {
      setActions((before) => before + 1)
      refresh()
    }
  }
  const counts = overview && { ...overview.counts, requests: 0 }
  const revision = JSON.stringify([overview?.scenario, counts, journal.lastChangeId, actions])
  const points = usePoints(client, overview, `${revision} ${journal.revision}`)
  const state = { access, setAccess, client, overview, failure, refresh, journal, revision, points }
  return (
    <SessionContext.Provider value={{ ...state, ...notices, act }}>
      {props.children}
    </SessionContext.Provider>
  )
}

/**
 * Returns the session of the page.
 *
 * @throws {Error} Outside a `SessionProvider`.
 */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session) return session
  throw new Error('useSession must be used inside a SessionProvider')
}
