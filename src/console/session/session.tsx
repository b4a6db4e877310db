import { type ComponentChildren, createContext } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { ControlClient } from '../client/client.js'
import { type ControlFailure, toFailure } from '../client/failure.js'
import type { Overview } from '../client/shapes.js'
import { type LiveJournal, useJournal } from '../journal/use-journal.js'
import type { Access } from './access.js'
import { useAccess } from './use-access.js'
import { type Notice, useNotice } from './use-notice.js'
import { useOverview } from './use-overview.js'

/** What every part of the page shares: the world it shows, and how it is steered. */
export interface Session {
  readonly access: Access
  setAccess(access: Access): void
  readonly client: ControlClient
  /** Undefined until the sandbox has answered for this key. */
  readonly overview: Overview | undefined
  /** Why the overview is missing or old. */
  readonly failure: ControlFailure | undefined
  readonly journal: LiveJournal
  /** Another text whenever the data of the world may be other than before. */
  readonly revision: string
  readonly notice: Notice | undefined
  notify(text: string, kind?: Notice['kind']): void
  /** Steers the world, says what was done or why not, and reads the world again. */
  act(done: string, action: () => Promise<unknown>): Promise<boolean>
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Where the sandbox is: the page is one of its own. */
export const root = location.origin

/** Gives the session to all that is inside. */
export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [access, setAccess] = useAccess()
  const client = useMemo(() => new ControlClient(root, access), [access])
  const journal = useJournal(client)
  const { overview, failure, refresh } = useOverview(client, journal)
  const { notice, notify } = useNotice()
  const [acts, setActs] = useState(0)

  const act: Session['act'] = async (done, action) => {
    try {
      await action()
      notify(done)
      return true
    } catch (error) {
      notify(toFailure(error).message, 'error')
      return false
    } finally {
      setActs((count) => count + 1)
      await refresh()
    }
  }
  const counts = overview && { ...overview.counts, requests: 0 }
  const revision = JSON.stringify([overview?.scenario, counts, journal.lastChangeId, acts])
  const session: Session = {
    access,
    setAccess,
    client,
    overview,
    failure,
    journal,
    revision,
    notice,
    notify,
    act,
  }
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

/** The session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session) return session
  throw new Error('a part of the page stands outside its SessionProvider')
}
