import { useState } from 'preact/hooks'
import type { PageClient } from '../session/client.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { type JsonRecord, type RecordKind, toId } from './record-kind.js'

/** Returns the pause before a list is loaded again, in milliseconds: 1.5 s for 5,000 records. */
export const toPauseMs = ({ length }: readonly unknown[]): number => 500 + 0.2 * length

export type Records = ReturnType<typeof useRecords>

/** A removed record, and the world that had it. */
interface Removal {
  readonly client: PageClient
  readonly generation: number | undefined
  readonly row: JsonRecord
}

/**
 * Loads the records of a kind, and again when they change. Adds, changes and removes them, and adds
 * the last removed one again. The rows are undefined until the world is known.
 *
 * @param kind Must be the same object on each render.
 */
export function useRecords(kind: RecordKind) {
  const { name, toName } = kind
  const { client, overview, notify, refresh } = useSession()
  const { value, failure, edit } = useLoaded(kind.list, overview?.changes[name], toPauseMs)
  // A removal belongs to a generation of the world.
  const rows = overview && value
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  const generation = overview?.generation
  // A restart of the world makes the others meaningless.
  const removed = removals
    .filter((removal) => removal.client === client && removal.generation === generation)
    .map(({ row }) => row)
  const isOther = (row: JsonRecord) => (other: JsonRecord) => toId(kind, other) !== toId(kind, row)
  /** Returns the reason of a failure. */
  const attempt = async (action: () => Promise<void>): Promise<string | undefined> => {
    try {
      await action()
      return undefined
    } catch (error) {
      return toFailure(error).message
    } finally {
      refresh()
    }
  }
  const add = (json: string, done = 'Added', note = '') =>
    attempt(async () => {
      const row = await kind.add(client, json)
      edit((before) => [...before.filter(isOther(row)), row])
      notify(`${done} ${toName(row)}.${note}`)
    })
  const change = (row: JsonRecord, json: string) =>
    attempt(async () => {
      const changed = await kind.change(client, toId(kind, row), json)
      edit((before) => before.map((other) => (isOther(row)(other) ? other : changed)))
      notify(`Changed ${toName(changed)}.`)
    })
  const remove = async (row: JsonRecord) => {
    const problem = await attempt(async () => {
      const removal = { client, generation, row: await kind.remove(client, toId(kind, row)) }
      edit((before) => before.filter(isOther(row)))
      setRemovals((before) => [...before, removal])
    })
    if (problem !== undefined) notify(problem, 'error')
  }
  const undo = async () => {
    const last = removed.at(-1)
    const problem = await add(JSON.stringify(last), 'Restored', ' The service lists it last.')
    if (problem === undefined) setRemovals((before) => before.filter(({ row }) => row !== last))
    else notify(problem, 'error')
  }
  return { rows, failure, add, change, remove, removed, undo, dismiss: () => setRemovals([]) }
}
