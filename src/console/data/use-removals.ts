import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../session/session.js'
import type { Removal } from './removal-list.js'

/** Number of removals that can be undone. */
const maximumRemovals = 20

/** The removals of the running world. A restart of the world makes them meaningless. */
export function useRemovals(): {
  /** The latest first. */
  readonly removals: readonly Removal[]
  push(removal: Omit<Removal, 'id'>): void
  dismiss(removal: Removal): void
} {
  const { client, overview } = useSession()
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  const nextId = useRef(0)
  const generation = overview?.generation
  // The client and the generation are dependencies only to forget the removals.
  useEffect(() => setRemovals([]), [client, generation])
  const push = (removal: Omit<Removal, 'id'>) => {
    nextId.current += 1
    const added = { ...removal, id: nextId.current }
    setRemovals((before) => [added, ...before].slice(0, maximumRemovals))
  }
  const dismiss = ({ id }: Removal) =>
    setRemovals((before) => before.filter((other) => other.id !== id))
  return { removals, push, dismiss }
}
