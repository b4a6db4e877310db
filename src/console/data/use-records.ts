import { useCallback, useRef, useState } from 'preact/hooks'
import type { PageClient } from '../session/client.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import type { JsonRecord, RecordKind } from './record-kind.js'

/** Returns the pause before a list is loaded again, in milliseconds: 1.5 s for 5,000 records. */
export const toPauseMs = ({ length }: readonly unknown[]): number => 500 + 0.2 * length

export type Records<T extends JsonRecord> = ReturnType<typeof useRecords<T>>

/**
 * Loads the records of a kind, and again when they change. Adds, changes and removes them. These
 * functions return the reason of a failure.
 *
 * @param kind Must be the same object on each render.
 */
export function useRecords<T extends JsonRecord>(kind: RecordKind<T>) {
  const { name, toId, toName } = kind
  const { client, overview, notify, refresh } = useSession()
  const { rows, failure, edit } = useEditedList(kind.list, overview?.changes[name])
  const send = async (request: () => Promise<void>): Promise<string | undefined> => {
    try {
      await request()
      return undefined
    } catch (error) {
      return toFailure(error).message
    } finally {
      void refresh()
    }
  }
  return {
    rows,
    failure,
    add: (json: string, done = 'Added', note = '') =>
      send(async () => {
        const row = await kind.add(client, json)
        edit((before) => [...before.filter((other) => toId(other) !== toId(row)), row])
        notify(`${done} ${toName(row)}.${note}`)
      }),
    change: (row: T, json: string) =>
      send(async () => {
        const changed = await kind.change(client, toId(row), json)
        edit((before) => before.map((other) => (toId(other) === toId(row) ? changed : other)))
        notify(`Changed ${toName(changed)}.`)
      }),
    remove: (row: T, onRemoved: (removed: T) => void) =>
      send(async () => {
        onRemoved(await kind.remove(client, toId(row)))
        edit((before) => before.filter((other) => toId(other) !== toId(row)))
      }),
  }
}

/** Changes a list as a request has changed it. A second application has no effect. */
type Edit<T> = (rows: readonly T[]) => readonly T[]

/** Loads a list. Edits are shown until a list that was requested after them replaces them. */
function useEditedList<T>(
  list: (client: PageClient) => Promise<readonly T[]>,
  trigger: number | undefined,
) {
  const edits = useRef<readonly Edit<T>[]>([])
  const [, setCount] = useState(0)
  const load = useCallback(
    async (client: PageClient) => {
      const earlier = edits.current.length
      const loaded = await list(client)
      edits.current = edits.current.slice(earlier)
      return loaded
    },
    [list],
  )
  const { value, failure } = useLoaded(load, trigger, toPauseMs)
  return {
    rows: value && edits.current.reduce((rows, edit) => edit(rows), value),
    failure,
    edit(edit: Edit<T>) {
      edits.current = [...edits.current, edit]
      setCount((count) => count + 1)
    },
  }
}
