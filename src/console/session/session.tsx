import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RemoteFetch } from '../../control/client/client.js'
import { useJournal } from '../journal/use-journal.js'
import type { AccessState } from './access.js'
import { type ControlPlace, PageClient } from './client.js'
import { toFailure, toSentences } from './failure.js'
import { useOverview, type Watch } from './use-overview.js'
import { usePoints } from './use-points.js'

interface SessionSettings {
  readonly access: AccessState
  readonly place: ControlPlace
  /** Sends the control requests. Must be the same function on each render. Default: `fetch`. */
  readonly fetcher?: RemoteFetch | undefined
  readonly watch?: Watch | undefined
}

export type Session = ReturnType<typeof useCreatedSession>

const SessionContext = createContext<Session | undefined>(undefined)

/** Provides the session to its children. */
export function SessionProvider(props: SessionSettings & { children: ComponentChildren }) {
  const session = useCreatedSession(props)
  return <SessionContext.Provider value={session}>{props.children}</SessionContext.Provider>
}

/** Returns the state and the actions that the components share. */
function useCreatedSession({
  access: [access, setAccess],
  place,
  fetcher,
  watch,
}: SessionSettings) {
  const client = useMemo(() => new PageClient(place, access, fetcher), [place, access, fetcher])
  const journal = useJournal(client)
  const { overview, failure, refresh } = useOverview(client, journal, watch)
  const notices = useNotices()
  const [actions, setActions] = useState(0)
  const counts = overview && { ...overview.counts, requests: 0 }
  const revision = JSON.stringify([overview?.generation, counts, journal.lastChangeId, actions])
  return {
    ...notices,
    access,
    setAccess,
    client,
    /** Undefined until the first response for this key. */
    overview,
    /** Failure of the latest request for the overview; undefined after a success. */
    failure,
    /** Requests the overview again. */
    refresh,
    journal,
    /** Changes whenever the data of the world may have changed; used as a cache key. */
    revision,
    /** Snapshots of the world, oldest first. */
    points: usePoints(client, overview, `${revision} ${journal.revision}`),
    /**
     * Runs an action of the control API, shows its success or failure, and refreshes the overview.
     * Returns whether it succeeded.
     */
    async act(done: string, action: () => Promise<unknown>): Promise<boolean> {
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
    },
  }
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

type Kind = 'done' | 'error'

/** Maximum number of failures that are shown at once. */
const maximumErrors = 3

/**
 * Returns the notices of the page, latest first, and functions that show one and remove one. A
 * failure stays until it is dismissed. A success stays until the next one, or as long as it takes to
 * read it.
 */
function useNotices() {
  const [notices, setNotices] = useState<readonly { id: number; text: string; kind: Kind }[]>([])
  // A repeated text is another element, so that it is announced again.
  const count = useRef(0)
  const notify = useCallback((text: string, kind: Kind = 'done') => {
    count.current += 1
    const notice = { id: count.current, text, kind }
    setNotices((before) => {
      const errors = before.filter((other) => other.kind === 'error' && other.text !== text)
      return [notice, ...errors.slice(0, kind === 'error' ? maximumErrors - 1 : undefined)]
    })
  }, [])
  const dismiss = useCallback(
    (notice: object) => setNotices((before) => before.filter((other) => other !== notice)),
    [],
  )
  const done = notices.find(({ kind }) => kind === 'done')
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => dismiss(done), 3_000 + 50 * done.text.length)
    return () => clearTimeout(timer)
  }, [done, dismiss])
  return { notices, notify, dismiss }
}
