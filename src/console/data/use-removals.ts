import { useEffect, useState } from 'preact/hooks'
import { parseJson } from '../../service/json.js'
import { toFragment } from '../session/access.js'
import { useSession } from '../session/session.js'
import { readTab, writeTab } from '../session/tab-storage.js'
import type { Removal } from './removal-list.js'

/** Number of removals that can be undone. */
const maximumRemovals = 20

/**
 * The removals of the running world. The tab stores them, so that they can still be undone after
 * another view or a reload. A restart of the world makes them meaningless.
 *
 * @param name Name of the kind of record.
 */
export function useRemovals(name: string): {
  /** The latest first. */
  readonly removals: readonly Removal[]
  push(removal: Omit<Removal, 'id'>): void
  dismiss(removal: Removal): void
} {
  const { access, overview } = useSession()
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  const world = overview && `${toFragment(access)} ${overview.generation}`
  useEffect(() => setRemovals(world === undefined ? [] : read(name, world)), [name, world])
  const change = (edit: (before: readonly Removal[]) => readonly Removal[]) =>
    setRemovals((before) => {
      const after = edit(before)
      writeTab(storageName + name, JSON.stringify({ world, removals: after }))
      return after
    })
  return {
    removals,
    push: (removal) =>
      change((before) => {
        const id = (before[0]?.id ?? 0) + 1
        return [{ ...removal, id }, ...before].slice(0, maximumRemovals)
      }),
    dismiss: ({ id }) => change((before) => before.filter((other) => other.id !== id)),
  }
}

const storageName = 'petstore-sandbox.removed.'

/** Returns the removals that this tab has stored for a world. */
function read(name: string, world: string): readonly Removal[] {
  const stored = parseJson(readTab(storageName + name)) as // written by this file
    | { readonly world: string; readonly removals: readonly Removal[] }
    | undefined
  return stored?.world === world ? stored.removals : []
}
