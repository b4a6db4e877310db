import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RemoteFetch } from '../../control/client/client.js'
import type { Overview } from '../control-types.js'
import { useJournal } from '../journal/use-journal.js'
import type { AccessState } from './access.js'
import { type ControlPlace, PageClient } from './client.js'
import { toFailure, toSentences } from './failure.js'
import { useFollowed } from './use-followed.js'
import { useOverview, type Watch } from './use-overview.js'

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

/** A snapshot of a world between two requests. */
export interface Point {
  /** Changes when the world restarts. */
  readonly generation: number
  /** Id of the last request before the snapshot; 0 for none. */
  readonly lastId: number
  readonly json: string
}

/** Number of retained snapshots. */
const maximumPoints = 20

/** Maximum number of records of a world of which snapshots are taken. */
const maximumRecords = 1_000

/** Maximum length of a snapshot, in characters. */
const maximumLength = 200_000

/** Pause after a snapshot that was not retained, in milliseconds: the world is busy, or large. */
const pauseMs = 2_000

/**
 * Takes a snapshot of the world after each change, so that a test can start in the state before a
 * request. Returns the snapshots, oldest first.
 *
 * @param revision Changes with each request, and whenever the world may have changed.
 */
function usePoints(
  client: PageClient,
  overview: Overview | undefined,
  revision: string,
): { readonly current: readonly Point[] } {
  const points = useMemo<{ current: readonly Point[] }>(() => ({ current: [] }), [client])
  const { pets = 0, orders = 0, messages = 0 } = overview?.counts ?? {}
  const isSmall = overview !== undefined && pets + orders + messages <= maximumRecords
  const record = useCallback(
    async (from: PageClient) => {
      const point = isSmall ? await takePoint(from, points.current) : undefined
      if (point) points.current = addPoint(points.current, point)
      return isSmall && !point ? pauseMs : 0
    },
    [isSmall, points],
  )
  const { quota, generation } = overview ?? {}
  // A failure to read the world is shown elsewhere.
  const version = JSON.stringify([isSmall, quota, generation, revision])
  useFollowed(client, record, version, (pause) => pause)
  return points
}

/** Takes a snapshot after others. Returns undefined if a request arrives meanwhile, or it is large. */
export async function takePoint(
  client: PageClient,
  points: readonly Point[],
): Promise<Point | undefined> {
  const query = { limit: 0 }
  const { newestId } = await client.send('getJournal', { query })
  const { text: json, generation } = await client.request('getSnapshot')
  const after = await client.send('getJournal', { query })
  if (after.newestId !== newestId || json.length > maximumLength) return undefined
  const known = points.at(-1)?.lastId ?? 0
  // Ids continue when the world restarts, although its journal is then empty.
  return { generation, lastId: newestId === 0 ? known : newestId, json }
}

/** Adds a snapshot to others. It replaces one of the same place: the control API changed the world. */
export function addPoint(points: readonly Point[], point: Point): readonly Point[] {
  const { generation, lastId } = point
  const others = points.filter(
    (other) => other.generation !== generation || other.lastId !== lastId,
  )
  return [...others, point].slice(-maximumPoints)
}
